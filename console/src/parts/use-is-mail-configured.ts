import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../data/queries-account.ts';

/** Whether the hub has a mail server; true until its configuration is known. */
export function useIsMailConfigured(): boolean {
  return useQuery(configQuery).data?.isMailConfigured !== false;
}
