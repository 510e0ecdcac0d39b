import type { CallInput, Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionPageQuery, actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { rowsPerPage } from '../../parts/list-limits.ts';
import { operationsPerPage } from '../../parts/operation/operations.ts';

/** An operation on devices of a project. */
export type FleetOperation = Output<'fleet_QueryOperations'>['operations'][number];

/** An operation with its selector, stages and steps, and how each stage stands. */
export type FoundOperation = Extract<Output<'fleet_GetOperation'>, { result: 'Found' }>;

/** A device of an operation. */
export type Target = Output<'fleet_QueryOperationTargets'>['targets'][number];

type OfOperation = Id<'fleetOperation'>;

/** A page of the operations of a project, newest first: of all, or of one status. */
export const fleetOperationsQuery = (
  projectId: Id<'project'>,
  { status, after }: { status?: FleetOperation['status'] | undefined; after?: string | undefined } = {},
) =>
  actionPageQuery(
    'fleet_QueryOperations',
    {
      projectId,
      limit: rowsPerPage,
      ...(status === undefined ? {} : { status: [status] }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** An operation with what it is made of. */
export const fleetOperationQuery = (fleetOperationId: OfOperation) =>
  actionQuery('fleet_GetOperation', { fleetOperationId }, everyMinute);

/** Which devices of an operation are listed, and in which order. */
export type TargetsView = Omit<CallInput<'fleet_QueryOperationTargets'>, 'fleetOperationId' | 'limit'>;

/** A page of the devices of an operation. */
export const targetsQuery = (fleetOperationId: OfOperation, view: TargetsView = {}) =>
  actionPageQuery(
    'fleet_QueryOperationTargets',
    { fleetOperationId, limit: operationsPerPage, ...view },
    everyMinute,
  );

/** The failed devices of an operation by their errors. */
export const failureGroupsQuery = (fleetOperationId: OfOperation) =>
  actionQuery('fleet_QueryFailureGroups', { fleetOperationId }, everyMinute);

/** A page of the devices of which an operation could not decide whether they are selected. */
export const selectionErrorsQuery = (fleetOperationId: OfOperation, after?: string) =>
  actionPageQuery(
    'fleet_QueryOperationSelectionErrors',
    { fleetOperationId, limit: operationsPerPage, ...(after === undefined ? {} : { after }) },
    everyMinute,
  );

/** How devices of an operation ended over its time. */
export const operationHistoryQuery = (fleetOperationId: OfOperation) =>
  actionQuery('fleet_QueryOperationHistory', { fleetOperationId }, everyMinute);

const eventsPerPage = 6;

/** A page of what happened to an operation itself, newest first. */
export const operationEventsQuery = (fleetOperationId: OfOperation, after?: string) =>
  actionPageQuery(
    'fleet_QueryOperationEvents',
    { fleetOperationId, ofOperation: true, limit: eventsPerPage, ...(after === undefined ? {} : { after }) },
    everyMinute,
  );

/** What a draft would do now. */
export const draftPreviewQuery = (fleetOperationId: OfOperation) =>
  actionQuery('fleet_PreviewDraft', { fleetOperationId }, everyMinute);

/** Creates a draft. */
export const createOperation = actionMutation('fleet_CreateOperation', 'fleet_OperationCreated');
/** Starts a draft, or goes on with what is paused. */
export const startOperation = actionMutation('fleet_StartOperation', 'fleet_OperationStarted');
/** Pauses an operation. */
export const pauseOperation = actionMutation('fleet_PauseOperation', 'fleet_OperationPaused');
/** Ends an operation. */
export const cancelOperation = actionMutation('fleet_CancelOperation', 'fleet_OperationCancelled');
/** Opens the next stage if the guard allows it. */
export const advanceStage = actionMutation('fleet_AdvanceOperationStage', 'fleet_OperationStageAdvanced');
/** Runs an operation again on devices that failed. */
export const retryOperation = actionMutation('fleet_RetryOperation', 'fleet_OperationRetried');
/** Changes how fast an operation goes. */
export const setPace = actionMutation('fleet_SetOperationPace', 'fleet_OperationPaceChanged');
/** Creates a draft that gives back what was before. */
export const prepareUndo = actionMutation('fleet_PrepareUndo', 'fleet_OperationCreated');
