// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CountAuditLogActions } from './CountAuditLogActions.ts';
import { ExportAuditLog } from './ExportAuditLog.ts';
import { GetSealState } from './GetSealState.ts';
import { QueryAuditLog } from './QueryAuditLog.ts';
import { QueryAuditLogActions } from './QueryAuditLogActions.ts';
import { QueryAuditLogEvents } from './QueryAuditLogEvents.ts';
import { QuerySignIns } from './QuerySignIns.ts';
import { VerifyLog } from './VerifyLog.ts';

/** The actions of this domain by wire name. */
export const auditActions = {
  audit_CountAuditLogActions: CountAuditLogActions,
  projects_ExportAuditLog: ExportAuditLog,
  audit_GetSealState: GetSealState,
  projects_QueryAuditLog: QueryAuditLog,
  audit_QueryAuditLogActions: QueryAuditLogActions,
  audit_QueryAuditLogEvents: QueryAuditLogEvents,
  users_QuerySignIns: QuerySignIns,
  audit_VerifyLog: VerifyLog,
};
