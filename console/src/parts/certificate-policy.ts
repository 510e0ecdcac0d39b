import type { Id, Output } from '@corral/contract';
import { actionQuery } from '../data/action-query.ts';
import { everyFiveMinutes } from '../data/intervals.ts';

/** What a project demands of the certificates of its devices, and its authorities. */
export type CertificatePolicy = Output<'projects_GetCertificatePolicy'>;

/** What a project demands of the certificates of its devices, and its authorities. */
export const certificatePolicyQuery = (projectId: Id<'project'>) =>
  actionQuery('projects_GetCertificatePolicy', { projectId }, everyFiveMinutes);
