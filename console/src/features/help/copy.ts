import { catalogue } from '../../copy/catalogue.ts';

/** The texts of the help page. */
export const helpCopy = catalogue('help', {
  text: 'Keys, programs and where more is written.',
  shortcuts: {
    title: 'Keyboard',
    on: 'Press ? on any page to see this.',
    profile: 'Switch single keys on or off',
  },
  device: {
    title: 'Connect a device',
    text: 'The agent is one file that runs with Node.js 20 or newer. This puts it on the device:',
    command: 'command that fetches the agent',
    next: 'A project has the command that connects it, with a token: open Devices and choose Connect a device.',
    projects: 'Go to projects',
    download: 'Download the agent',
  },
  cli: {
    title: 'Command line',
    text: 'The program corral is one file that runs with Node.js 20 or newer. These lines fetch it, give it its name in this terminal, and have it ask for the address of this hub and a user token:',
    command: 'commands that install the command line',
    tokenText: 'A user token is made under Security.',
    token: 'Go to Security',
    download: 'Download the command line',
    first: 'To try it:',
    what: (does: string) => `command: ${does}`,
    login: 'See which hub it speaks to, and as whom',
    list: 'List your projects',
    devices: 'List the devices you may see',
    forward: 'Reach port 22 of a device at port 2222 of your machine',
    execute: 'Run any action of the hub, here the one that creates a project',
  },
  documents: {
    title: 'Documentation',
    text: 'It is in the repository of the hub:',
    start: 'how to run the hub',
    agent: 'the agent as a service, its settings, its commands',
    commandLine: 'every command, and how programs use them',
    configuration: 'every setting of the hub',
    pages: 'web pages of devices, and the domain that they need',
    proxy: 'the hub behind nginx',
    security: 'how to report a weakness',
    api: 'Every action that the hub takes, as an OpenAPI document:',
    licences: 'Licences of the console and of the libraries and fonts in it',
  },
  contact: { title: 'People', ask: 'The administrator of this hub:' },
  version: (version: string) => `This hub runs Corral ${version}.`,
});
