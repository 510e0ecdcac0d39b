// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CancelOperation } from './CancelOperation.ts';
import { ClaimOperationWork } from './ClaimOperationWork.ts';
import { CreateOperation } from './CreateOperation.ts';
import { GetOperation } from './GetOperation.ts';
import { QueryOperations } from './QueryOperations.ts';
import { ReportOperationStep } from './ReportOperationStep.ts';
import { StartOperation } from './StartOperation.ts';

/** The actions of this domain by wire name. */
export const operationsActions = {
  devices_CancelOperation: CancelOperation,
  devices_ClaimOperationWork: ClaimOperationWork,
  devices_CreateOperation: CreateOperation,
  devices_GetOperation: GetOperation,
  devices_QueryOperations: QueryOperations,
  devices_ReportOperationStep: ReportOperationStep,
  devices_StartOperation: StartOperation,
};
