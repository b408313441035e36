// Which open bugs concern services that have trouble right now? Written down, remembered, and told to the team.
const [{ repositories }, { alerts }] = await Promise.all([
  tools.issues.list_repositories(),
  tools.metrics.list_alerts({ state: "firing" }),
]);

// All open bugs of all repositories: pages one after the other, repositories side by side.
async function bugsOf(repo) {
  const bugs = [];
  for (let page = 1; page !== null;) {
    const { items, next_page } = await tools.issues.list_issues({ repo, labels: ["bug"], page, per_page: 4 });
    bugs.push(...items.map(({ number, title }) => ({ repo, number, title })));
    page = next_page;
  }
  return bugs;
}
const bugs = (await Promise.all(repositories.map(({ name }) => bugsOf(name)))).flat();

// How the services with alerts do, all asked at once.
const names = [...new Set(alerts.map(({ service }) => service))];
const services = await Promise.all(
  names.map(async (service) => {
    const { max } = await tools.metrics.summarize({ service, metric: "errors" });
    const concerned = bugs.filter(({ title }) => title.toLowerCase().includes(service));
    return { service, max, alerts: alerts.filter((alert) => alert.service === service).length, bugs: concerned };
  }),
);
services.sort((a, b) => b.max - a.max);

const report = services.map(
  ({ service, max, alerts, bugs }) => `- ${service}: ${alerts} alerts, at most ${max} errors a minute, ${bugs.length} open bugs`,
);
await tools.files.write_file({ path: "report.md", content: `# Services with alerts\n\n${report.join("\n")}\n` });
await tools.memory.create_entities({
  entities: services.map(({ service, bugs }) => ({
    name: service,
    entityType: "service",
    observations: bugs.map(({ repo, number, title }) => `${repo}#${number} ${title}`),
  })),
});

// The rules of this demo forbid posting: a program reads why, and goes on.
let told = "posted to #incidents";
try {
  await tools.chat.post_message({ channel: "incidents", text: report.join("\n") });
} catch (error) {
  told = `not posted: ${error.message}`;
}
const { content } = await tools.files.read_text_file({ path: "report.md" });
return {
  bugs: bugs.length,
  services: services.map(({ service, bugs }) => `${service}: ${bugs.length} bugs`),
  report: content.split("\n").filter((line) => line.startsWith("-")),
  told,
};
