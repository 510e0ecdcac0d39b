import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { type GatewayOperations, gatewayOperations } from '../../../test/gateway-operations.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { cutSteps } from '../../../test/step-cuts.ts';

let scene: GatewayScene;
let operations: GatewayOperations;
beforeEach(async () => {
  scene = await gatewayScene();
  operations = await gatewayOperations(scene);
});
afterEach(() => scene[Symbol.asyncDispose]());

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('however often and wherever connections are cut, no command runs twice, no result is lost and nothing stays', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  const timersBefore = timers();
  const seed = Number(process.env['CORRAL_TEST_SEED'] ?? Date.now() % 100_000);
  const { twice, lost, wrong } = await cutSteps(scene, operations, {
    cuts: inject('figures').carrierCuts,
    seed,
  });
  expect({ seed, twice, lost, wrong }).toEqual({ seed, twice: [], lost: [], wrong: [] });
  const { gateway } = scene;
  await vi.waitFor(() => expect([gateway.runningCommands, gateway.counts.links]).toEqual([0, 0]), {
    timeout: 30_000,
  });
  // Those of the server and of the pool of the database, however many cuts there were.
  await vi.waitFor(() => expect(timers() - timersBefore).toBeLessThan(20), { timeout: 30_000 });
  process.off('warning', note);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
