// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { AdvanceOperationStage } from './AdvanceOperationStage.ts';
import { ApplyChange } from './ApplyChange.ts';
import { CancelChange } from './CancelChange.ts';
import { CancelOperation } from './CancelOperation.ts';
import { CreateOperation } from './CreateOperation.ts';
import { GetChange } from './GetChange.ts';
import { GetOperation } from './GetOperation.ts';
import { PauseOperation } from './PauseOperation.ts';
import { PrepareUndo } from './PrepareUndo.ts';
import { PreviewChange } from './PreviewChange.ts';
import { PreviewDraft } from './PreviewDraft.ts';
import { PreviewOperation } from './PreviewOperation.ts';
import { QueryChangeResults } from './QueryChangeResults.ts';
import { QueryFailureGroups } from './QueryFailureGroups.ts';
import { QueryOperationEvents } from './QueryOperationEvents.ts';
import { QueryOperationHistory } from './QueryOperationHistory.ts';
import { QueryOperationSelectionErrors } from './QueryOperationSelectionErrors.ts';
import { QueryOperationTargets } from './QueryOperationTargets.ts';
import { QueryOperations } from './QueryOperations.ts';
import { RetryOperation } from './RetryOperation.ts';
import { SetOperationPace } from './SetOperationPace.ts';
import { StartCertificateRotation } from './StartCertificateRotation.ts';
import { StartOperation } from './StartOperation.ts';
import { UndoChange } from './UndoChange.ts';

/** The actions of this domain by wire name. */
export const fleetActions = {
  fleet_AdvanceOperationStage: AdvanceOperationStage,
  fleet_ApplyChange: ApplyChange,
  fleet_CancelChange: CancelChange,
  fleet_CancelOperation: CancelOperation,
  fleet_CreateOperation: CreateOperation,
  fleet_GetChange: GetChange,
  fleet_GetOperation: GetOperation,
  fleet_PauseOperation: PauseOperation,
  fleet_PrepareUndo: PrepareUndo,
  fleet_PreviewChange: PreviewChange,
  fleet_PreviewDraft: PreviewDraft,
  fleet_PreviewOperation: PreviewOperation,
  fleet_QueryChangeResults: QueryChangeResults,
  fleet_QueryFailureGroups: QueryFailureGroups,
  fleet_QueryOperationEvents: QueryOperationEvents,
  fleet_QueryOperationHistory: QueryOperationHistory,
  fleet_QueryOperationSelectionErrors: QueryOperationSelectionErrors,
  fleet_QueryOperationTargets: QueryOperationTargets,
  fleet_QueryOperations: QueryOperations,
  fleet_RetryOperation: RetryOperation,
  fleet_SetOperationPace: SetOperationPace,
  devices_StartCertificateRotation: StartCertificateRotation,
  fleet_StartOperation: StartOperation,
  fleet_UndoChange: UndoChange,
};
