import { describe, expect, inject, test } from 'vitest';
import { readCorpus } from './corpus.ts';
import { fuzz } from './fuzz.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';
import { frameTarget } from './targets/frame.ts';

/** The same inputs in every run; `npm run fuzz` uses other and more inputs. */
const seed = 20_261_120;
const { malformedInputs } = inject('figures');
const plans = targets.map(({ target, share }): [Target, number] => [
  target,
  Math.round(malformedInputs * share),
]);

describe.each(plans)('$name', (target, runs) => {
  test('[FR2] [FR3] [CL4] handles every input of the corpus', async () => {
    const kept = readCorpus(target.name);
    expect(kept.length).toBeGreaterThan(4);
    for (const { file, bytes } of kept) {
      const outcome = Promise.resolve(bytes).then((input) => target.run(input));
      await expect(outcome, file).resolves.toEqual(expect.any(String));
    }
  });

  test(`[FR2] [FR3] [CL4] handles ${runs} malformed inputs, seed ${seed}`, async () => {
    const { outcomes, failure, runs: done } = await fuzz({ target, seed, runs });
    expect(failure).toBeUndefined();
    expect(done).toBeGreaterThanOrEqual(runs);
    expect(outcomes.size).toBeGreaterThan(4);
  });
});

describe('a target with a bug', () => {
  const broken: Target = {
    ...frameTarget,
    run(input) {
      if (input.includes(0x2a) && input.includes(0x11)) throw new Error('the answer is not known');
      return 'fine';
    },
  };

  test('fails with its smallest input', async () => {
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
