import { copyFile, mkdir } from 'node:fs/promises';
import { runCollecting } from '../run.ts';
import { readPages } from './markdown.ts';
import type { Sandbox } from './sandbox.ts';

const projectName = 'Plant';

/** What the text around the blocks tells a new administrator to do, for which there is no command. Flows in a browser do the same in the console. */
export const machine = {
  async startProject(at: Sandbox, output: string): Promise<void> {
    await signIn(at, output);
    const { projectId } = await at.invoke('projects_CreateProject', { name: projectName });
    const flags = { autoAccept: true };
    const { token } = await at.invoke('projects_CreateDeploymentToken', { projectId, name: 'all', flags });
    at.replace('deployment_…', String(token));
    at.replace('https://hub.example', at.url);
    at.replace('http://127.0.0.1:8080', at.url);
  },

  signInAnew: signIn,

  /** The agent reads the file of the page, `/etc/corral/agent.toml`, only there; variables say the same. */
  async configureAgent(at: Sandbox): Promise<void> {
    await at.run('test -x /usr/local/bin/corral-agent && test -f /etc/corral/agent.toml');
    at.set('CORRAL_AGENT_HUB_URL', at.url);
    at.set('CORRAL_AGENT_TOKEN', at.translate('deployment_…'));
  },

  async nameDevice(at: Sandbox): Promise<void> {
    const { projects } = (await at.invoke('projects_QueryProjects', {})) as { projects: Row[] };
    const { projectId } = projects.find(({ name }) => name === projectName) ?? {};
    const { devices } = (await at.invoke('projects_QueryProjectDevices', { projectId })) as {
      devices: Row[];
    };
    await at.invoke('devices_SetDeviceName', { deviceId: devices[0]?.deviceId, name: 'Press 4' });
  },

  /** The manifest on the page, and the files that it names. */
  async writeRelease(at: Sandbox, name: string): Promise<void> {
    const blocks = readPages().find((page) => page.name === name)?.blocks ?? [];
    const manifest = blocks.find(
      ({ language, text }) => language === 'toml' && text.startsWith('repository ='),
    );
    await at.write('work/publish.toml', manifest?.text ?? '');
    await at.write('work/build/press.img', Buffer.alloc(3_000_000, name));
    await at.write('work/build/notes-1.txt', 'notes');
  },

  async writeAnotherRelease(at: Sandbox): Promise<void> {
    await machine.writeRelease(at, 'docs/software-repositories.md');
  },

  /** The device of the page: its agent offers the command `install` of the kit, and has a hook. */
  async offerInstall(at: Sandbox): Promise<void> {
    await machine.writeRelease(at, 'README.md');
    const page = readPages().find(({ name }) => name === 'docs/acting-on-devices.md');
    const settings = page?.blocks.find(({ language }) => language === 'toml')?.text ?? '';
    await at.write('work/agent.toml', settings.replace('[commands]', '[commands]\ndirectory = "manifests"'));
    await at.write('work/hook', '#!/bin/sh\ntest -s "$4/press.img"\n', 0o755);
    await at.run('corral-agent kit add install --manifests manifests --scripts scripts');
    const env = { CORRAL_KIT_ROOT: at.path('work/kit'), CORRAL_KIT_HOOK: at.path('work/hook') };
    await at.run('corral-agent run --config agent.toml', { until: /connected to http/, goesOn: true, env });
  },

  /** Its agent has proved what it installed. */
  async hasInstalled(at: Sandbox): Promise<void> {
    await at.run('corral devices list \'installed:firmware/press@"^1.4"\' --project Plant | grep d_');
  },

  /** Both devices of the tour have proved that they have a version. */
  async haveVersion(at: Sandbox, version: string): Promise<void> {
    const found = await at.run(`corral devices list 'installed:tour/pump@${version}' --project Plant`);
    if (found.match(/d_\w+/g)?.length !== 2) throw new Error(found);
  },

  /** The page leaves out the id of its newest operation. */
  async nameOperation(at: Sandbox): Promise<void> {
    const list = await at.run('corral --json operations list --project Plant');
    at.replace('flt_op_…', /flt_op_\w+/.exec(list)?.[0] ?? '');
  },

  async makeCertificate(at: Sandbox): Promise<void> {
    const what =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=hub.test';
    await openssl(at, `${what} -keyout key.pem -out fullchain.pem`);
  },

  /** Whether the certificate of a hub is one that its authority signed. */
  async checkHubCertificate(at: Sandbox): Promise<void> {
    await openssl(at, 'verify -CAfile authority.pem -purpose sslserver -verify_ip 192.168.1.10 hub.pem');
  },

  /** An authority that is no hub's, a device's certificate of it, and a token that accepts no device by itself. */
  async makeFactory(at: Sandbox): Promise<void> {
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
    await openssl(at, `req -x509 ${key} -days 2 -subj /CN=Factory -keyout ca-key.pem -out ca.pem`);
    await openssl(at, `req ${key} -subj /CN=pump-17 -keyout device-key.pem -out device.csr`);
    const signing = '-CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2';
    await openssl(at, `x509 -req -in device.csr ${signing} -out device.pem`);
    const page = readPages().find(({ name }) => name === 'docs/certificates.md');
    const settings = page?.blocks.find(({ text }) => text.includes('ssl-cert'))?.text ?? '';
    await at.write('work/factory.toml', settings.replace('https://hub.example', at.url));
    const { projects } = (await at.invoke('projects_QueryProjects', {})) as { projects: Row[] };
    const { projectId } = projects.find(({ name }) => name === projectName) ?? {};
    at.replace('"p_…"', `"${projectId}"`);
    const { token } = await at.invoke('projects_CreateDeploymentToken', { projectId, name: 'factory' });
    at.set('TOKEN', String(token));
  },

  /** The page has the public key of some hub; here it is that of this one, if that has sealed anything yet. */
  async noteSealingKey(at: Sandbox): Promise<void> {
    await at.stopHub();
    await at.write('work/hub.log', '');
    const output = await at.run('corral-hub audit verify --json');
    const { publicKey } = JSON.parse(output) as { publicKey?: string };
    if (publicKey !== undefined) at.replace('XNJDo/jztYgKTE/VqSNUVVC7K4jL1TaANxbyXovDMDI=', publicKey);
  },

  /** Another data folder with the key, as for a new machine. */
  async prepareRestore(at: Sandbox): Promise<void> {
    const restored = at.path('var/lib/corral-restored');
    await mkdir(restored, { mode: 0o755 });
    await copyFile(`${at.dataDir}/secret.key`, `${restored}/secret.key`);
  },
};

interface Row {
  readonly name?: string;
  readonly projectId?: string;
  readonly deviceId?: string;
}

async function openssl(at: Sandbox, args: string): Promise<void> {
  const { code, output } = await runCollecting('openssl', args.split(' '), at.path('work'));
  if (code !== 0) throw new Error(output);
}

async function signIn(at: Sandbox, output: string): Promise<void> {
  const [, password = ''] = /password +(\S+)\n/.exec(output) ?? [];
  await at.signIn('admin@localhost', password);
}
