import { describe, expect, test } from 'vitest';
import { readCorpus } from './corpus.ts';
import { fuzz } from './fuzz.ts';
import type { Target } from './target.ts';
import { connectionTarget } from './targets/connection.ts';
import { frameTarget } from './targets/frame.ts';
import { rpcTarget } from './targets/rpc.ts';
import { webSocketTarget } from './targets/web-socket.ts';

/** The same inputs in every run: others, and more of them, come from `npm run fuzz`. */
const seed = 20_261_120;
const plans: [Target, number][] = [
  [frameTarget, 500_000],
  [connectionTarget, 340_000],
  [webSocketTarget, 100_000],
  [rpcTarget, 60_000],
];

describe.each(plans)('$name', (target, runs) => {
  test('[FR2] [FR3] [CL4] takes what is kept in the corpus', async () => {
    const kept = readCorpus(target.name);
    expect(kept.length).toBeGreaterThan(4);
    for (const { file, bytes } of kept) {
      const outcome = Promise.resolve(bytes).then((input) => target.run(input));
      await expect(outcome, file).resolves.toEqual(expect.any(String));
    }
  });

  test(`[FR2] [FR3] [CL4] takes ${runs} malformed inputs, seed ${seed}`, { timeout: 180_000 }, async () => {
    const { outcomes, failure, runs: done } = await fuzz({ target, seed, runs });
    expect(failure).toBeUndefined();
    expect(done).toBeGreaterThanOrEqual(runs);
    expect(outcomes.size).toBeGreaterThan(4);
  });
});

describe('a target that breaks a promise', () => {
  const broken: Target = {
    ...frameTarget,
    run(input) {
      if (input.includes(0x2a) && input.includes(0x11)) throw new Error('the answer is not known');
      return 'fine';
    },
  };

  test('is found out with its smallest input', async () => {
    const { failure } = await fuzz({ target: broken, seed, runs: 100_000 });
    expect(failure?.message).toBe('the answer is not known');
    expect([...(failure?.input ?? [])].toSorted((a, b) => a - b)).toEqual([0x11, 0x2a]);
  });

  test('fails in the same way with the same seed', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => fuzz({ target: broken, seed, runs: 100_000 })),
    );
    expect(first).toEqual(second);
  });
});
