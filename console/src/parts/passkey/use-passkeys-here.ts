import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../../data/queries-account.ts';

/** Whether the browser can use passkeys on this page: they belong to one address of the hub. */
export function usePasskeysHere(): boolean {
  const { data: config } = useQuery(configQuery);
  return config?.passkeyOrigin === window.location.origin && 'PublicKeyCredential' in window;
}
