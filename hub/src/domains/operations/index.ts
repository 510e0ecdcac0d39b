// What the other domains use of this one.
export {
  cancelDeviceOperation,
  isPlainDeviceStep,
  startDeviceOperation,
  startDeviceOperations,
} from './policy/advance.ts';
export { onlyFiles } from './policy/step-checks.ts';
export { isInWindow, isWindowOpen, lockOperation, type SecretPlace, type Turn } from './sql/operations.ts';
export { failureBudget } from './sql/failure-budget.ts';
export { distinctPlaces, maskedSteps, secretPlaces } from './policy/masked-inputs.ts';
