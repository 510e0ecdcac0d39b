import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { AgentProcess } from './agent-process.ts';
import { HubPeer, token } from './hub-peer.ts';

/** A hub, and a folder for the state of an agent, for each test of a file. */
export interface AgentScene {
  readonly hub: HubPeer;
  readonly state: string;
  /** Starts the agent; it is killed at the end of the test. */
  run(more?: readonly string[]): AgentProcess;
}

/** Makes a scene before each test of the file, and removes it afterwards. */
export function agentScene(): AgentScene {
  let hub: HubPeer;
  let state: string;
  let running: AgentProcess[] = [];
  beforeEach(async () => {
    hub = await HubPeer.start();
    state = await mkdtemp(join(tmpdir(), 'corral-agent-'));
  });
  afterEach(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended;
    }
    running = [];
    await hub.stop();
    await rm(state, { recursive: true, force: true });
  });
  return {
    get hub() {
      return hub;
    },
    get state() {
      return state;
    },
    run(more = []) {
      const started = new AgentProcess(['run', '--hub-url', hub.url, '--state', state, ...more], {
        CORRAL_AGENT_TOKEN: token,
      });
      running.push(started);
      return started;
    },
  };
}
