/** For engines without a time limit of their own: rejects after `ms`, if the host's loop gets to run. */
export function withDeadline(promise, ms, onLate = () => {}) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error("time limit"));
    }, ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
