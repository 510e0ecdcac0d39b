import { X509Certificate } from 'node:crypto';
import { isLoopback } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import { connectionLimits, descriptorLimit } from '../../wiring/connection-limits.ts';
import { requestHub, type HubResponse } from './request-hub.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const neededDescriptors = 4_096;
/** The status for a host name that is not the hub's. */
const misdirected = 421;
const everyAddress = ['0.0.0.0', '::', '[::]'];

/** Whether a hub runs here, and whether the public URL leads to this `instance`, which is undefined if the database could not be read. */
export async function checkHub(config: Config, instance: string | undefined): Promise<Finding[]> {
  const local = await requestLocally(config);
  const own = ownFindings(config, local, instance);
  const isRunning = own.some(({ state }) => state === 'right');
  return [
    ...own,
    ...(await checkPublicUrl(config, instance, isRunning)),
    ...(await descriptors(config, isRunning)),
  ];
}

function localOrigin({ host, port, tls }: Config): string {
  const bare = everyAddress.includes(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, '');
  return `${tls === undefined ? 'http' : 'https'}://${bare.includes(':') ? `[${bare}]` : bare}:${port}`;
}

async function requestLocally(config: Config): Promise<HubResponse | Error | undefined> {
  if (config.port === 0) return undefined;
  return requestHub(`${localOrigin(config)}/readyz`).catch((error: Error) => error);
}

function ownFindings(
  config: Config,
  local: HubResponse | Error | undefined,
  instance: string | undefined,
): Finding[] {
  const { right, wrong, unchecked } = checkOf('This hub');
  const at = localOrigin(config);
  if (local === undefined)
    return [unchecked('Its port is any free one (CORRAL_PORT=0), so it was not asked.')];
  if (local instanceof Error)
    return [unchecked(`Nothing answers at ${at}, so the hub is stopped: ${messageOf(local)}`)];
  if (isOtherProgram(local, instance))
    return [wrong(`Another program answers at ${at}: stop it, or choose another CORRAL_PORT.`)];
  if (local.status === 503)
    return [
      wrong(
        `It runs at ${at}, and is not ready: the database does not answer, or it stops or has no lease. Its log says more.`,
      ),
    ];
  if (local.status !== 200) return [wrong(`It answers at ${at} with ${local.status}: see its log.`)];
  const notices = local.text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
  return [
    right(`Release ${local.version} runs at ${at} and is ready.`),
    ...notices.map((notice) => wrong(notice)),
  ];
}

/** Whether the answer is not from a hub, or from a hub of another instance. */
const isOtherProgram = (answer: HubResponse, instance: string | undefined): boolean =>
  answer.version === undefined || (instance !== undefined && answer.instance !== instance);

async function checkPublicUrl(
  config: Config,
  instance: string | undefined,
  isRunning: boolean,
): Promise<Finding[]> {
  const { right, wrong, unchecked } = checkOf('Public URL');
  const { publicUrl } = config;
  if (publicUrl.endsWith(':0')) return [];
  try {
    const answer = await requestHub(`${publicUrl}/readyz`);
    if (isOtherProgram(answer, instance))
      return [
        wrong(
          `${publicUrl} leads to another program or another Corral: correct CORRAL_PUBLIC_URL, DNS or the reverse proxy.`,
        ),
      ];
    // Unlike readiness, these are answered for the hub's own name only.
    const { status } = await requestHub(`${publicUrl}/api/config.json`);
    if (status === misdirected)
      return [
        wrong(
          `${publicUrl} leads to a hub that does not know this name: give all hubs the same CORRAL_PUBLIC_URL, and let the reverse proxy pass the Host header on.`,
        ),
      ];
    const found =
      answer.status === 200
        ? right(`${publicUrl} leads to this Corral.`)
        : wrong(`${publicUrl} answers with ${answer.status}: no hub behind it is ready.`);
    return [found, ...certificateFindings(config, answer)];
  } catch (error) {
    const text = `${publicUrl} does not answer: ${messageOf(error)}`;
    return [
      isRunning
        ? wrong(`${text} Check DNS, firewall and reverse proxy, as seen from this machine.`)
        : unchecked(text),
      ...ownCertificate(config),
    ];
  }
}

function namesOf({ publicUrl, hostNames, proxy, tls }: Config): string[] {
  const pages = proxy.scheme === 'https' && tls !== undefined && !isLoopback(proxy.domain);
  return [new URL(publicUrl).hostname, ...hostNames, ...(pages ? [`page.${proxy.domain}`] : [])];
}

function certificateFindings(config: Config, { certificate, trustError }: HubResponse): Finding[] {
  if (certificate === undefined) return ownCertificate(config);
  const { wrong } = checkOf('TLS certificate');
  return [
    ...checkCertificate(certificate, namesOf(config), Date.now()),
    ...(trustError === undefined || /EXPIRED|ALTNAME/.test(trustError)
      ? []
      : [
          wrong(
            `This machine does not trust it (${trustError}), and devices will not either: send the whole chain, or, with an authority of your own, name its certificate to them, and to this command with NODE_EXTRA_CA_CERTS.`,
          ),
        ]),
  ];
}

/** The configured certificate, for a hub that does not answer. It fits its key, otherwise the settings would have been refused. */
function ownCertificate(config: Config): Finding[] {
  if (config.tls === undefined) return [];
  return checkCertificate(new X509Certificate(config.tls.cert), namesOf(config), Date.now());
}

/** The limit of the running hub from its metrics, or the limit of this process, which is the same if both are started in the same way. */
async function descriptors(config: Config, isRunning: boolean): Promise<Finding[]> {
  const { right, wrong } = checkOf('Descriptors');
  const measured = isRunning ? await measuredLimit(config) : undefined;
  const limit = measured ?? descriptorLimit();
  const whose = measured === undefined ? 'This shell' : 'The hub';
  const { total } = connectionLimits(config, limit);
  if (limit < neededDescriptors || total >= limit)
    return [
      wrong(
        `${whose} may have ${limit} descriptors open, for ${total} connections: raise it (LimitNOFILE= in systemd, ulimit -n).`,
      ),
    ];
  return [right(`${whose} may have ${limit} descriptors open, for ${total} connections.`)];
}

async function measuredLimit(config: Config): Promise<number | undefined> {
  const answer = await requestHub(`${localOrigin(config)}/metrics`).catch(() => undefined);
  const found = /^process_max_fds (\d+)/m.exec(answer?.text ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}
