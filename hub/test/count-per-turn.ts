/** Counts how often `count` is called in one turn of the event loop while the work runs; answers the largest number. */
export async function mostPerTurn(work: (count: () => void) => Promise<unknown>): Promise<number> {
  let most = 0;
  let inTurn = 0;
  let isOver = false;
  const endTurn = (): void => {
    inTurn = 0;
    if (!isOver) setImmediate(endTurn);
  };
  setImmediate(endTurn);
  await work(() => void (most = Math.max(most, (inTurn += 1))));
  isOver = true;
  return most;
}
