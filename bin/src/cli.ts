// The commands and their options. Each command is loaded when it is the one.

import { Command, CommanderError, InvalidArgumentError } from "commander";
import { EXIT } from "./exit.js";

/** Runs a command line and gives its exit code. @throws UsageError, Interrupted */
export async function cli(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.completed;
  const program = new Command("airlock");
  program
    .description("Programs over your MCP servers and tools: run in an interpreter of our own, every call through one gate.")
    .version("0.1.0")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "airlock: ")) })
    .showHelpAfterError("(airlock --help, or airlock COMMAND --help)");

  const command = (usage: string, description: string): Command => program.command(usage).description(description);

  withRun(withTools(command("run <file>", "run a program (- for stdin)")))
    .option("--input <json>", "what the program reads as `input` (@FILE for a file)")
    .option("--json", "one JSON document on stdout: result or failure, log, calls, figures")
    .option("--check", "run only if the rules deny no call of it")
    .option("--dry-run", "show what it would call, and run nothing")
    .option("--media <folder>", "write the images and files of the result there")
    .action(async (file: string, flags) => {
      code = await (await import("./commands/run.js")).run(file, flags);
    });
  withTools(command("check <file>", "parse a program, and list its calls with what the rules say"))
    .option("--json", "one JSON document on stdout")
    .action(async (file: string, flags) => {
      code = await (await import("./commands/check.js")).check(file, flags);
    });
  withTools(command("tools [query...]", "list the tools, or search them"))
    .option("--server <name>", "only this server's")
    .option("--json", "one JSON document on stdout")
    .option("--declarations", "as TypeScript declarations")
    .option("--cost", "how many tokens a model reads of them")
    .option("--why <path>", "which rule decides about a tool")
    .option("--skipped", "what was left out, and why")
    .action(async (query: string[], flags) => {
      code = await (await import("./commands/tools.js")).tools(query.length === 0 ? undefined : query.join(" "), flags);
    });
  withRun(withTools(command("mcp", "serve `execute` to any MCP client over stdio or HTTP")))
    .option("--http <port>", "over HTTP on 127.0.0.1 (0: any port)", port)
    .action(async (flags) => {
      code = await (await import("./commands/mcp.js")).mcp(flags);
    });
  withRun(withTools(command("agent [prompt...]", "an agent that works with the tools")))
    .option("--model <provider/model>", "anthropic/…, openai/…, local/…, scripted/FILE")
    .option("--code-mode", "the model writes programs (default)")
    .option("--no-code-mode", "the model calls each tool by itself")
    .option("--continue <id>", "go on with a session")
    .option("--json", "one JSON document on stdout for each prompt")
    .action(async (words: string[], flags) => {
      code = await (await import("./commands/agent.js")).agent(words, flags);
    });
  command("init", "write a configuration with the servers of the MCP clients that are there")
    .option("--project", "the project's, from the clients' files in it")
    .option("--dry-run", "show it, and write nothing")
    .option("--json", "one JSON document on stdout")
    .action(async (flags) => {
      code = await (await import("./commands/init.js")).init(flags);
    });
  command("doctor", "look whether everything works: configuration, servers, tools, models")
    .option("--config <file>", "this file in place of the configuration")
    .option("--json", "one JSON document on stdout")
    .action(async (flags) => {
      code = await (await import("./commands/doctor.js")).doctor(flags);
    });
  command("demo", "a program over several servers, then the same task for the agent").action(async () => {
    code = await (await import("./commands/demo.js")).demo();
  });

  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end well; everything else that commander says is wrong usage.
    return error.exitCode === 0 || error.code === "commander.help" ? EXIT.completed : EXIT.usage;
  }
  return code;
}

function withTools(command: Command): Command {
  return command
    .option("--config <file>", "this file in place of the configuration")
    .option("--tools <module>", "a module with tools, or a folder of them (again for more)", collect)
    .option("--allow <permission[=pattern]>", "allow what matches (again for more)", collect)
    .option("--deny <permission[=pattern]>", "deny what matches (again for more)", collect)
    .option("--yes", "allow everything that would be asked; what the configuration denies stays denied")
    .option("--trust", "trust what the folder brings, as it is now");
}

function withRun(command: Command): Command {
  return command.option("--timeout <seconds>", "end a run after so long", seconds);
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It must be a number of seconds above 0.");
  return value;
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) throw new InvalidArgumentError("It must be a port, 0 to 65535.");
  return value;
}
