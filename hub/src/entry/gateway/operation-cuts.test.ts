import { afterEach, beforeEach, expect, inject, test } from 'vitest';
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

test('however often and wherever connections are cut, no command runs twice and no result is lost', async () => {
  const seed = Number(process.env['CORRAL_TEST_SEED'] ?? Date.now() % 100_000);
  const { twice, lost, wrong } = await cutSteps(scene, operations, {
    cuts: inject('figures').carrierCuts,
    seed,
  });
  expect({ seed, twice, lost, wrong }).toEqual({ seed, twice: [], lost: [], wrong: [] });
});
