import type { DomainEvent } from '@corral/contract';
import type { Foundations, Withdrawal } from './directory.ts';

type Rule = (data: DomainEvent['data']) => Withdrawal | undefined;

function lost(reason: string, ...names: (keyof Foundations)[]): Rule {
  return (data) => {
    const foundations: Record<string, string> = {};
    for (const name of names) {
      const value = data[name];
      if (typeof value !== 'string') return undefined;
      foundations[name] = value;
    }
    return { foundations, reason };
  };
}

const certificateChanged: Rule = (data) =>
  data['status'] === 'Active'
    ? undefined
    : lost('the certificate is not active any more', 'certificateId')(data);

/** The events that cut connections, and which ones. */
const rules: Readonly<Partial<Record<DomainEvent['name'], Rule>>> = {
  devices_CertificateStatusChanged: certificateChanged,
  devices_CertificateDeleted: lost('the certificate was deleted', 'certificateId'),
  devices_Deleted: lost('the device was deleted', 'deviceId'),
  projects_Deleted: lost('the project was deleted', 'projectId'),
  projects_DeploymentTokenDeleted: lost('the deployment token was deleted', 'tokenId'),
  users_TokenDeleted: lost('the user token was deleted', 'tokenId'),
  users_Deleted: lost('the user was deleted', 'userId'),
};

/** Which connections an event withdraws the ground from; undefined for most events. */
export function withdrawalOf(event: DomainEvent): Withdrawal | undefined {
  return rules[event.name]?.(event.data);
}
