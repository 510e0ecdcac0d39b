import { IdTag } from '../../ui/text/IdTag.tsx';
import { Avatar } from '../../ui/picture/Avatar.tsx';
import { ConnectionStrip } from '../../ui/picture/ConnectionStrip.tsx';
import { LiveDot } from '../../ui/picture/LiveDot.tsx';
import { Logo } from '../../ui/picture/Logo.tsx';
import { Meter } from '../../ui/picture/Meter.tsx';
import { DeviceDots } from '../../ui/picture/DeviceDots.tsx';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { Spinner } from '../../ui/picture/Spinner.tsx';
import { Row } from './Row.tsx';
import { Specimen } from './Specimen.tsx';

const nowMs = Date.UTC(2026, 10, 20, 14, 20);
const hourMs = 3_600_000;

/** Double rule, device dots, id tags, the logo, and other small graphics. */
export function PictureSpecimens() {
  return (
    <Specimen title="Signatures" meta="double rule, device dots, ID tag, logo">
      <DoubleRule />
      <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <Row caption="148 devices">
          <DeviceDots counts={{ total: 148, connected: 143, pending: 1 }} />
        </Row>
        <Row caption="240 devices, connections not known">
          <DeviceDots counts={{ total: 240 }} />
        </Row>
        <Row caption="Small">
          <DeviceDots counts={{ total: 20, connected: 17, pending: 1 }} columns={12} />
        </Row>
        <Row caption="IDs and fingerprints">
          <IdTag value="d_9fKqW2mPx7LtVb3ReBZt3m" what="device ID" />
          <IdTag value="7A:2C:91:44:0D:BE:E4:08" what="fingerprint" length={17} />
          <IdTag value="hub-1" what="node ID" />
        </Row>
        <Row caption="Logo and spinner">
          <span className="flex items-center gap-4 text-denim">
            <Logo />
            <Logo size={40} />
            <Spinner size={40} />
          </span>
        </Row>
        <Row caption="Live, people">
          <LiveDot state="live" updatedAtMs={nowMs} />
          <LiveDot state="polling" />
          <LiveDot state="offline" />
          <Avatar name="Mara Keller" />
          <Avatar name="ops@harbour.example" size={32} />
        </Row>
      </div>
      <ConnectionStrip
        nowMs={nowMs}
        intervals={[
          { fromMs: nowMs - 26 * hourMs, toMs: nowMs - 13.65 * hourMs },
          { fromMs: nowMs - 13.35 * hourMs },
        ]}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        <Meter label="Disk" value={11.2} max={28.9} text="11.2 of 28.9 GB" />
        <Meter label="Disk, nearly full" value={27.9} max={28.9} text="27.9 of 28.9 GB" />
        <Meter isProgress label="Approving certificates" value={40} max={100} />
      </div>
    </Specimen>
  );
}
