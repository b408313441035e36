// The folder of test material that is kept outside the repository: programs and cases with recorded answers.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const workspace = fileURLToPath(new URL("../..", import.meta.url));

/** A path in the shared folder (`AIRLOCK_SHARED`, else beside the workspace); undefined with a printed note where it is not there. */
export function sharedPath(...parts: string[]): string | undefined {
  const root = process.env.AIRLOCK_SHARED ?? join(workspace, "..", "shared");
  const path = join(root, ...parts);
  if (existsSync(path)) return path;
  console.log(`Skipped: ${path} is not there. Set AIRLOCK_SHARED to the folder with ${parts[0]}.`);
  return undefined;
}
