// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { ApproveTerminal } from './ApproveTerminal.ts';
import { EndTerminal } from './EndTerminal.ts';
import { GetTerminalAccess } from './GetTerminalAccess.ts';
import { IssueFileUrl } from './IssueFileUrl.ts';
import { IssueRecordingUrl } from './IssueRecordingUrl.ts';
import { JoinTerminal } from './JoinTerminal.ts';
import { OpenTerminal } from './OpenTerminal.ts';
import { QueryTerminals } from './QueryTerminals.ts';
import { SetTerminalPolicy } from './SetTerminalPolicy.ts';
import { WaiveTerminalRecording } from './WaiveTerminalRecording.ts';

/** The actions of this domain by wire name. */
export const terminalsActions = {
  devices_ApproveTerminal: ApproveTerminal,
  devices_EndTerminal: EndTerminal,
  devices_GetTerminalAccess: GetTerminalAccess,
  devices_IssueFileUrl: IssueFileUrl,
  devices_IssueRecordingUrl: IssueRecordingUrl,
  devices_JoinTerminal: JoinTerminal,
  devices_OpenTerminal: OpenTerminal,
  devices_QueryTerminals: QueryTerminals,
  projects_SetTerminalPolicy: SetTerminalPolicy,
  devices_WaiveTerminalRecording: WaiveTerminalRecording,
};
