/** Whether the work succeeded in time; if not, it goes on. @throws whatever it failed with in time */
export async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  const done = work.then(() => true);
  // If it loses the race, nobody else handles its rejection.
  done.catch(() => undefined);
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}
