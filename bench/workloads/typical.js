// What a model writes: three calls, filter, join, summary.
const people = await tools.bench.people({ team: "platform" });
const leads = people.filter((person) => person.role === "lead");
const tickets = await tools.bench.tickets({ owners: leads.map((lead) => lead.id) });
const urgent = tickets.filter((ticket) => ticket.open && ticket.priority >= 3);
const perLead = {};
for (const ticket of urgent) {
  const lead = leads.find((one) => one.id === ticket.owner);
  (perLead[lead.name] ||= []).push(ticket.id);
}
const lines = Object.entries(perLead).map(([name, ids]) => `${name}: ${ids.length} urgent (${ids.join(", ")})`);
const sent = await tools.bench.post({ title: "Urgent tickets", lines });
return { ...sent, urgent: urgent.length, lines };
