// The host's tools, the same for every engine: asynchronous, deterministic, quick.

const CITIES = ["Bergen", "Arequipa", "Luxor", "Hobart", "Cuenca", "Parma", "Nagoya", "Jaipur"];
const RECORDS = 48_000; // 5 MB as JSON

let kept;

/** Makes the large answer ahead, so that no measurement holds its making. */
export function prepareRecords() {
  kept ??= makeRecords();
}

export const tools = {
  bench: {
    ping: async ({ i }) => ({ id: i, ok: true, value: i % 7 }),
    records: async () => {
      prepareRecords();
      return kept;
    },
    people: async ({ team }) =>
      Array.from({ length: 20 }, (_, id) => ({ id, team, name: "person" + id, role: id % 3 === 0 ? "lead" : "member" })),
    tickets: async ({ owners }) =>
      owners.flatMap((owner) =>
        [1, 2, 3].map((k) => ({ id: owner * 10 + k, owner, open: (owner + k) % 2 === 0, priority: (owner * k) % 5 })),
      ),
    post: async ({ title, lines }) => ({ posted: true, title, count: lines.length }),
  },
};

function makeRecords() {
  let state = 7;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296;
  const below = (n) => Math.floor(next() * n);
  return Array.from({ length: RECORDS }, (_, id) => ({
    id,
    name: "customer-" + id,
    city: CITIES[below(CITIES.length)],
    active: next() > 0.3,
    balance: below(1_000_000) / 100,
    tags: ["t" + below(20), "t" + below(20)],
  }));
}
