import type { DomainEvent } from '@corral/contract';
import type { CredentialRefs, Revocation } from './connection-registry.ts';

type Rule = (data: DomainEvent['data']) => Revocation | undefined;

function revokes(reason: string, ...names: (keyof CredentialRefs)[]): Rule {
  return (data) => {
    const credentialRefs: Record<string, string> = {};
    for (const name of names) {
      const value = data[name];
      if (typeof value !== 'string') return undefined;
      credentialRefs[name] = value;
    }
    return { credentialRefs, reason };
  };
}

const certificateChanged: Rule = (data) =>
  data['status'] === 'Active'
    ? undefined
    : revokes('the certificate is not active any more', 'certificateId')(data);

const userDisabled: Rule = (data) =>
  data['isDisabled'] === true ? revokes('the user was disabled', 'userId')(data) : undefined;

/** The events that close connections, and which ones. */
const rules: Readonly<Partial<Record<DomainEvent['name'], Rule>>> = {
  devices_CertificateStatusChanged: certificateChanged,
  devices_CertificateDeleted: revokes('the certificate was deleted', 'certificateId'),
  devices_Deleted: revokes('the device was deleted', 'deviceId'),
  projects_Deleted: revokes('the project was deleted', 'projectId'),
  projects_DeploymentTokenDeleted: revokes('the deployment token was deleted', 'tokenId'),
  users_TokenDeleted: revokes('the user token was deleted', 'tokenId'),
  users_SetIsDisabled: userDisabled,
  users_Deleted: revokes('the user was deleted', 'userId'),
};

/** Which connections an event revokes; undefined for most events. */
export function revocationOf(event: DomainEvent): Revocation | undefined {
  return rules[event.name]?.(event.data);
}
