import type { Id } from '@corral/contract';
import { Download, Pause, Play } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { orToast } from '../../parts/or-toast.ts';
import { terminalCopy } from '../../parts/terminal/copy.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { Select } from '../../ui/form/Select.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { terminalsCopy } from './copy.ts';
import { downloadRecording, recordingPath } from './download-recording.ts';
import { Player, type PlayerState } from './Player.ts';
import { readRecording } from './recording.ts';
import { Timeline } from './Timeline.tsx';

const words = terminalsCopy.player;
const loadXterm = () => import('../../parts/terminal/xterm.ts');
const speeds = ['0.5', '1', '2', '4', '8'] as const;

/** Plays the recording of a terminal. It is read only when somebody asks for it, because that is recorded. */
export function RecordingCard({ sessionId, isWaived }: { sessionId: Id<'terminal'>; isWaived: boolean }) {
  const run = useRun();
  const [isWanted, setIsWanted] = useState(false);
  return (
    <Card
      title={words.title}
      actions={
        <Button
          size="small"
          icon={<Download size={14} aria-hidden />}
          onClick={() => orToast(terminalCopy.notDownloaded, downloadRecording(run, sessionId))}
        >
          {words.download}
        </Button>
      }
    >
      {isWaived && <Notice tone="warn" title={terminalsCopy.waivedTitle} />}
      {isWanted ? (
        <Playing sessionId={sessionId} />
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="text-body text-ink2">{words.audited}</p>
          <Button variant="primary" icon={<Play size={15} aria-hidden />} onClick={() => setIsWanted(true)}>
            {terminalCopy.playRecording}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Playing({ sessionId }: { sessionId: Id<'terminal'> }) {
  const screen = useRef<HTMLDivElement>(null);
  const { player, state, failure } = usePlayer(sessionId, screen);
  return (
    <div className="flex flex-col gap-3">
      {failure !== undefined && (
        <Notice tone="danger" title={words.failed}>
          {failure}
        </Notice>
      )}
      {state?.isBroken === true && <Notice tone="danger" title={words.broken} />}
      {state === undefined && failure === undefined && (
        <p role="status" className="text-body text-ink3">
          {words.loading}
        </p>
      )}
      <div
        role="group"
        aria-label={words.label}
        tabIndex={0}
        className={`overflow-auto rounded-card border border-line bg-sunken p-2 ${state === undefined ? 'hidden' : ''}`}
      >
        <div ref={screen} dir="ltr" className="w-max" />
      </div>
      {state !== undefined && player !== undefined && <Controls {...{ player, state }} />}
    </div>
  );
}

function Controls({ player, state }: { player: Player; state: PlayerState }) {
  const [speed, setSpeed] = useState<(typeof speeds)[number]>('1');
  const [isSkipping, setIsSkipping] = useState(true);
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
      <Button
        icon={state.isPlaying ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        onClick={() => (state.isPlaying ? player.pause() : player.play())}
      >
        {state.isPlaying ? words.pause : words.play}
      </Button>
      <Timeline {...{ state }} onSeek={(secs) => player.seek(secs)} />
      <Select
        className="w-24"
        label={words.speed}
        options={speeds.map((value) => ({ value, label: words.times(value) }))}
        value={speed}
        onValueChange={(next) => {
          setSpeed(next ?? '1');
          player.setSpeed(Number(next ?? 1));
        }}
      />
      <div className="pb-2">
        <Checkbox
          label={words.skipIdle}
          checked={isSkipping}
          onCheckedChange={(next) => {
            setIsSkipping(next);
            player.skipPauses(next);
          }}
        />
      </div>
    </div>
  );
}

function usePlayer(sessionId: Id<'terminal'>, element: RefObject<HTMLElement | null>) {
  const xterm = useLazyModule(loadXterm, true);
  const run = useRun();
  const [player, setPlayer] = useState<Player>();
  const [state, setState] = useState<PlayerState>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const parent = element.current;
    if (xterm === undefined || parent === null) return;
    const cancelling = new AbortController();
    let dispose = (): void => undefined;
    void (async () => {
      try {
        const answer = await fetch(await recordingPath(run, sessionId), { signal: cancelling.signal });
        if (!answer.ok) throw new Error(await answer.text());
        const recording = readRecording(await answer.text());
        if (cancelling.signal.aborted) return;
        const screen = xterm.openScreen(parent, { label: words.label, size: recording.size });
        const opened = new Player(recording, screen, setState);
        dispose = () => {
          opened.dispose();
          screen.dispose();
        };
        setPlayer(opened);
      } catch (error) {
        if (!cancelling.signal.aborted) setFailure(messageOf(error));
      }
    })();
    return () => {
      cancelling.abort();
      dispose();
    };
  }, [xterm, sessionId, run, element]);
  return { player, state, failure };
}
