import fc from 'fast-check';
import { inject, test } from 'vitest';
import { AlertRun, alertPlan } from '../../../../test/alert-run.ts';
import { alertScene } from '../../../../test/alert-scene.ts';

/** What earlier runs leave makes later ones slower. */
const runsPerHub = 50;

test('each device that is away is told once, and none that is not, whatever devices, people and hubs do', async () => {
  let scene = await alertScene();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(alertPlan, async (plan) => {
      runs += 1;
      if (runs % runsPerHub === 0) {
        await scene[Symbol.asyncDispose]();
        scene = await alertScene();
      }
      await new AlertRun(scene).run(plan);
    }),
    { numRuns: inject('figures').alertRuns, endOnFailure: true },
  );
  await scene[Symbol.asyncDispose]();
});
