// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AdvanceOperationStage } from './AdvanceOperationStage.ts';
import { CancelOperation } from './CancelOperation.ts';
import { CreateOperation } from './CreateOperation.ts';
import { GetOperation } from './GetOperation.ts';
import { PauseOperation } from './PauseOperation.ts';
import { PrepareUndo } from './PrepareUndo.ts';
import { PreviewOperation } from './PreviewOperation.ts';
import { QueryFailureGroups } from './QueryFailureGroups.ts';
import { QueryOperationEvents } from './QueryOperationEvents.ts';
import { QueryOperationHistory } from './QueryOperationHistory.ts';
import { QueryOperationSelectionErrors } from './QueryOperationSelectionErrors.ts';
import { QueryOperationTargets } from './QueryOperationTargets.ts';
import { QueryOperations } from './QueryOperations.ts';
import { RetryOperation } from './RetryOperation.ts';
import { SetOperationPace } from './SetOperationPace.ts';
import { StartOperation } from './StartOperation.ts';

/** The actions of this domain by wire name. */
export const fleetActions = {
  fleet_AdvanceOperationStage: AdvanceOperationStage,
  fleet_CancelOperation: CancelOperation,
  fleet_CreateOperation: CreateOperation,
  fleet_GetOperation: GetOperation,
  fleet_PauseOperation: PauseOperation,
  fleet_PrepareUndo: PrepareUndo,
  fleet_PreviewOperation: PreviewOperation,
  fleet_QueryFailureGroups: QueryFailureGroups,
  fleet_QueryOperationEvents: QueryOperationEvents,
  fleet_QueryOperationHistory: QueryOperationHistory,
  fleet_QueryOperationSelectionErrors: QueryOperationSelectionErrors,
  fleet_QueryOperationTargets: QueryOperationTargets,
  fleet_QueryOperations: QueryOperations,
  fleet_RetryOperation: RetryOperation,
  fleet_SetOperationPace: SetOperationPace,
  fleet_StartOperation: StartOperation,
};
