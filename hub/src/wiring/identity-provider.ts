import { openProvider, type Provider } from '../auth/oidc/provider.ts';
import { providerSignIn, type ProviderSignIn } from '../auth/oidc/provider-sign-in.ts';
import type { Config } from '../config/config.ts';
import { outgoingRule } from '../config/outgoing-addresses.ts';
import type { PrivateTarget } from '../config/private-targets.ts';
import { providerCallbackPath, signedOutPage } from '../entry/http/provider-sign-in.ts';
import { openOutgoing } from '../platform/outgoing/open-outgoing.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { LiveSettings } from './instance-values.ts';

interface Parts {
  readonly config: Config;
  readonly settings: Pick<LiveSettings, 'current'>;
  readonly vault: Vault;
  readonly now: () => Date;
}

const place = 'sign-in at the provider';

interface IdentityProvider {
  /** Sign-ins at the provider of the settings, which may change while the hub runs. */
  readonly signIn: (origin: () => string) => ProviderSignIn;
  /** Ends the connections to the provider. */
  close(): Promise<void>;
}

/** Opens what the hub asks the provider with. */
export function identityProvider({ config, settings, vault, now }: Parts): IdentityProvider {
  const outgoing = openOutgoing({ rule: outgoingRule([...config.privateTargets, ...ofOperator(config)]) });
  const nowMs = (): number => now().getTime();
  let open: { readonly version: string; readonly provider: Provider } | undefined;
  const current = (): Provider | undefined => {
    const { provider: wanted } = settings.current();
    if (wanted === undefined) return undefined;
    const version = JSON.stringify(wanted);
    if (open?.version !== version)
      open = { version, provider: openProvider({ settings: wanted, fetch: outgoing.fetch, nowMs }) };
    return open.provider;
  };
  const signIn: IdentityProvider['signIn'] = (origin) =>
    providerSignIn({
      provider: current,
      redirectUri: () => `${origin()}${providerCallbackPath}`,
      signedOutUri: () => `${origin()}${signedOutPage}`,
      seal(text) {
        const { keyId, bytes } = vault.seal(Buffer.from(text), place);
        return `${keyId}.${bytes.toString('base64url')}`;
      },
      open(sealed) {
        const [keyId = '', bytes = ''] = sealed.split('.');
        return vault.open({ keyId, bytes: Buffer.from(bytes, 'base64url') }, place).toString();
      },
      nowMs,
    });
  return { signIn, close: () => outgoing.close() };
}

/** The operator who configures an issuer inside the network allows it by that; one that the console sets has to be listed. */
function ofOperator({ oidcIssuer, configuredBy }: Config): PrivateTarget[] {
  if (oidcIssuer === undefined || configuredBy.oidcIssuer === undefined) return [];
  const { hostname, port, protocol } = new URL(oidcIssuer);
  const place = hostname.replace(/^\[|\]$/g, '');
  return [{ place, port: Number(port || (protocol === 'https:' ? 443 : 80)) }];
}
