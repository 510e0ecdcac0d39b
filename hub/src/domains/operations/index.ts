// What the other domains use of this one.
export { cancelDeviceOperation, endOperation, startDeviceOperation } from './policy/advance.ts';
export { evaluateCondition, type Verdict } from './policy/evaluate.ts';
export { failureBudget } from './sql/failure-budget.ts';
export { lockOperation, noteEvent, type Operation, type Step, type Turn } from './sql/operations.ts';
