import { ids, type Id } from '@corral/contract';

interface Of {
  readonly session_id: string;
  readonly project_id: string;
  readonly device_id: string;
}

/** What each event about a terminal says of it. */
export function ofTerminal({ session_id, project_id, device_id }: Of): {
  readonly sessionId: Id<'terminal'>;
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
} {
  return {
    sessionId: ids.terminal.of(session_id),
    projectId: ids.project.of(project_id),
    deviceId: ids.device.of(device_id),
  };
}
