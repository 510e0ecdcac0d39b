// Generated from the files of hub/src/domains/ by `node tools/launch.cjs generate`.
import { CancelJob } from './CancelJob.ts';
import { CountJobs } from './CountJobs.ts';
import { CountUsers } from './CountUsers.ts';
import { GetClusterDetails } from './GetClusterDetails.ts';
import { GetInstanceSettingsRaw } from './GetInstanceSettingsRaw.ts';
import { GetInstanceStatistics } from './GetInstanceStatistics.ts';
import { QueryHistory } from './QueryHistory.ts';
import { QueryJobs } from './QueryJobs.ts';
import { RetryJob } from './RetryJob.ts';
import { SendTestMail } from './SendTestMail.ts';
import { SetInstanceSettingRaw } from './SetInstanceSettingRaw.ts';
import { SummarizeFailures } from './SummarizeFailures.ts';

/** The actions of this domain by wire name. */
export const instanceActions = {
  jobs_CancelJob: CancelJob,
  jobs_CountJobs: CountJobs,
  users_CountUsers: CountUsers,
  cluster_GetClusterDetails: GetClusterDetails,
  instance_GetInstanceSettingsRaw: GetInstanceSettingsRaw,
  instance_GetInstanceStatistics: GetInstanceStatistics,
  instance_QueryHistory: QueryHistory,
  jobs_QueryJobs: QueryJobs,
  jobs_RetryJob: RetryJob,
  instance_SendTestMail: SendTestMail,
  instance_SetInstanceSettingRaw: SetInstanceSettingRaw,
  jobs_SummarizeFailures: SummarizeFailures,
};
