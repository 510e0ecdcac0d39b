import { z } from 'zod';
import { command, query } from '../define.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { digest, empty, text, textUpTo, timestamp, uint32, uint64 } from '../scalars.ts';
import { actor } from '../shapes.ts';
import {
  terminalApproval,
  terminalEnd,
  terminalPolicy,
  terminalRecording,
  terminalRole,
  terminalState,
} from '../terminal-shapes.ts';

const sessionId = ids.terminal.schema;
const ofSession = z.object({ sessionId });
/** Opens `/api/v1/terminal/{sessionId}?ticket=…` once, within 30 s, in the session or with the token that asked for it. */
const ticket = text;

/** Terminals on devices: who may open one, who is in it, and what was recorded. */
export const terminalsActions = {
  devices_GetTerminalAccess: query({
    doc: 'Says whether the caller may open a terminal on a device now, as which users, and under which rules.',
    reads: ['projects', 'members', 'connections', 'properties'],
    input: z.object({ deviceId: ids.device.schema }),
    output: z.object({
      /** `Off` and `NotAllowed` by the policy of the project; `NotOffered`: the device has not said over its connection that it serves terminals. */
      status: z.enum(['Ready', 'Off', 'NotAllowed', 'NotConnected', 'NotOffered']),
      /** Those that the device allows, the default first; empty where it does not say. */
      users: z.array(text),
      isReasonNeeded: z.boolean(),
      approval: terminalApproval,
      recording: terminalRecording,
    }),
  }),
  devices_OpenTerminal: command({
    doc: 'Opens a terminal on a device, and returns a ticket that enters it once within 30 s, unless the policy of the project wants an approval first.',
    input: z.object({
      deviceId: ids.device.schema,
      /** By default that of the device. */
      user: textUpTo(200).optional(),
      reason: textUpTo(2_000).optional(),
    }),
    output: z.discriminatedUnion('result', [
      z.object({ result: z.literal('Opened'), sessionId, ticket }),
      z.object({ result: z.literal('WaitsForApproval'), sessionId }),
    ]),
  }),
  devices_JoinTerminal: command({
    doc: 'Returns a further ticket for a terminal: whoever opened it types, owners of the project watch.',
    input: ofSession,
    output: z.object({ ticket, role: terminalRole }),
  }),
  devices_ApproveTerminal: command({
    doc: 'Approves a terminal that waits for it, or refuses it, as another owner of the project than who opened it.',
    input: z.object({ sessionId, isApproved: z.boolean() }),
    output: empty,
  }),
  devices_WaiveTerminalRecording: command({
    doc: 'Lets one terminal go on where output cannot be recorded, in a project that requires recordings; owners only, once, with a reason that all owners are told of.',
    input: z.object({ sessionId, reason: textUpTo(2_000) }),
    output: empty,
  }),
  devices_EndTerminal: command({
    doc: 'Ends a terminal, for whoever opened it and for owners of the project.',
    input: ofSession,
    output: empty,
  }),
  devices_QueryTerminals: pagedQuery({
    doc: 'Lists the terminals of a device or of a project, newest first; those that ended more than 90 days ago are gone.',
    reads: ['terminals'],
    input: z.object({
      /** Exactly one of these. */
      projectId: ids.project.schema.optional(),
      deviceId: ids.device.schema.optional(),
      state: terminalState.optional(),
    }),
    output: z.object({
      terminals: z.array(
        z.object({
          sessionId,
          deviceId: ids.device.schema,
          /** As it was called when the terminal was opened. */
          deviceName: text.optional(),
          projectId: ids.project.schema,
          openedBy: actor,
          /** On the device; absent for its default. */
          user: text.optional(),
          reason: text.optional(),
          state: terminalState,
          /** Absent where the policy wanted none. */
          approval: terminalApproval.exclude(['None']).optional(),
          openedAt: timestamp,
          /** When somebody first entered it. */
          startedAt: timestamp.optional(),
          endedAt: timestamp.optional(),
          endReason: terminalEnd.optional(),
          /** That of the shell, where the device said it. */
          exitStatus: z.int().optional(),
          endedBy: actor.optional(),
          /** Also who refused it, where the reason of its end is `NotApproved`. */
          approvedBy: actor.optional(),
          /** Whether there is a recording. */
          isRecorded: z.boolean(),
          recordedBytes: uint64.optional(),
          /** How often output is missing in the recording. */
          gaps: uint32.optional(),
          /** Who let it go on where output cannot be recorded, though the project requires that. */
          waivedBy: actor.optional(),
          waivedAt: timestamp.optional(),
          waiverReason: text.optional(),
          /** Of the whole recording, once it is complete; the audit event has it, too. */
          digest: digest.optional(),
        }),
      ),
    }),
  }),
  devices_IssueRecordingUrl: command({
    doc: 'Returns a URL that for five minutes gives the session or token that asked for it the recording of a terminal in the format asciicast v2, for owners of the project and whoever opened the terminal.',
    input: ofSession,
    output: z.object({ url: text }),
  }),
  devices_IssueFileUrl: command({
    doc: 'Returns a URL that is valid for five minutes and fetches a file of a device, or puts one there, for whoever may open a terminal on the device.',
    input: z.object({
      deviceId: ids.device.schema,
      path: textUpTo(4_096),
      access: z.enum(['Read', 'Write']),
      /** Of the file to put. */
      sizeBytes: uint64.optional(),
      digest: digest.optional(),
      reason: textUpTo(2_000).optional(),
    }),
    output: z.object({ url: text }),
  }),
  projects_SetTerminalPolicy: command({
    doc: 'Says who may open terminals on the devices of a project, and how; owners only.',
    input: z.object({ projectId: ids.project.schema, ...terminalPolicy.shape }),
    output: empty,
  }),
} as const;
