// Runs the program it is given in this worker thread, and says how that ended.

import { parentPort, workerData } from "node:worker_threads";
import { run } from "@airlock/interpreter";

parentPort.postMessage(await run(workerData));
