import type { Id, Output, TerminalState } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionPageQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';
import { actionQuery } from '../../data/action-query.ts';
import { rowsPerPage } from '../list-limits.ts';

/** A terminal that is open, waits, or has ended. */
export type Terminal = Output<'devices_QueryTerminals'>['terminals'][number];
/** Whether one may be opened on a device. */
export type TerminalAccess = Output<'devices_GetTerminalAccess'>;

/** Whether the user may open a terminal on a device, and how. */
export const terminalAccessQuery = (deviceId: Id<'device'>) =>
  actionQuery('devices_GetTerminalAccess', { deviceId }, everyMinute);

/** A page of the terminals of a project or of a device, newest first. */
export const terminalsQuery = (
  of: { readonly projectId: Id<'project'> } | { readonly deviceId: Id<'device'> },
  state?: TerminalState,
  after?: string,
) =>
  actionPageQuery(
    'devices_QueryTerminals',
    {
      ...of,
      limit: rowsPerPage,
      ...(state === undefined ? {} : { state }),
      ...(after === undefined ? {} : { after }),
    },
    everyMinute,
  );

/** Opens a terminal, or asks for the approval of one. */
export const openTerminal = actionMutation('devices_OpenTerminal', 'devices_TerminalOpened');
/** Gets a ticket that enters a terminal. */
export const joinTerminal = actionMutation('devices_JoinTerminal', 'devices_TerminalEntered');
/** Approves a terminal, or refuses it. */
export const approveTerminal = actionMutation('devices_ApproveTerminal', 'devices_TerminalApproved');
/** Lets a terminal go on that cannot be recorded. */
export const waiveRecording = actionMutation(
  'devices_WaiveTerminalRecording',
  'devices_TerminalRecordingWaived',
);
/** Ends a terminal. */
export const endTerminal = actionMutation('devices_EndTerminal', 'devices_TerminalEnded');
/** Gets an address that fetches a file of a device, or puts one there. */
export const issueFileUrl = actionMutation('devices_IssueFileUrl', 'devices_FileUrlIssued');
/** Gets an address of a recording. */
export const issueRecordingUrl = actionMutation('devices_IssueRecordingUrl', 'devices_RecordingRead');
