import type { CallInput, Id, Output } from '@corral/contract';
import { actionMutation } from '../../data/action-mutation.ts';
import { actionQuery } from '../../data/action-query.ts';
import { everyMinute } from '../../data/intervals.ts';

/** How a project exports. */
export type OtlpConfig = Output<'projects_GetOtlpConfig'>['config'];
/** What is set. */
export type OtlpChange = CallInput<'projects_SetOtlpConfig'>['config'];
/** How a stream stands. */
export type OtlpStream = Output<'projects_GetOtlpStatus'>['streams'][number];

/** How a project exports, without the values of headers. */
export const otlpConfigQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetOtlpConfig', { projectId }, everyMinute);
/** How its streams stand. */
export const otlpStatusQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetOtlpStatus', { projectId }, everyMinute);

/** Changes how a project exports. */
export const setOtlpConfig = actionMutation('projects_SetOtlpConfig', 'projects_OtlpConfigChanged');
/** Sends a record that nothing made. */
export const sendTestEvent = actionMutation('projects_SendOtlpTestEvent', 'projects_OtlpExported');
