// What a model is told about `execute`. Constant, so that prompt caches hold: what changes (the tools) is the listing, apart from it.

/** The description of the tool `execute`. Product text: short, exact, tested. */
export const DESCRIPTION = `Runs a JavaScript or TypeScript program and gives back what it returns, as JSON. The tools of the catalog exist only inside the program. Do many calls, filtering and joining in one program, and return only the fields that you need.

- Write the body of an async function: \`await\` and \`return\` work at the top level. Types are ignored.
- Call a tool with one object, by the path that the catalog shows: \`await tools.github.list_issues({ repo })\`, \`await tools.docs["get-page"]({ id })\`. Do not guess names: \`Object.keys(tools)\` gives the servers, \`Object.keys(tools.github)\` their tools.
- Run independent calls together with \`Promise.all\`, and await every call.
- A failed call throws an Error with \`name\`, \`message\` and perhaps \`data\`. Catch it where the program can go on without that call.
- A result shown as \`unknown\` may be text or data: look at one before you rely on its form.
- Images and files come as handles \`{ media, mimeType, bytes }\`: return a handle to see it, or pass it to a tool.
- \`console.log\` lines come back beside the result.
- The standard built-ins of the language are there, and timers. Not there: \`fetch\`, \`require\`, \`import\`, \`process\`, files, network. Only tools reach the world. The time zone is UTC.
- A call may need the user's permission. If it is denied, go on without it or tell the user; do not try to get around it.
- If a program fails, the answer lists the calls that were done. Do not repeat those that change something.`;
