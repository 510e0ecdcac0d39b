/** A group of dots; `minWidth` is the width of the texts above it in pixels. */
export interface DotGroup {
  readonly size: number;
  readonly minWidth: number;
}

/** Where the dots of a group are, in pixels from the start and the top of the field; filled column by column. */
export interface PlacedGroup {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly rows: number;
  /** The first dot of the group among all. */
  readonly first: number;
  readonly size: number;
}

/** The places of all dots of a field, `pitch` pixels apart. */
export interface FieldLayout {
  readonly pitch: number;
  readonly groups: readonly PlacedGroup[];
  readonly height: number;
}

/** A dot, or with `dot` -1 the head of a group. */
export interface FieldPlace {
  readonly group: number;
  readonly dot: number;
}

const gap = 9;
const lineGap = 18;
const largePitch = 11;
/** Few steps, so that a fleet that grows seldom moves its dots. */
const rowSteps = [5, 8, 12, 16] as const;
const maxLargeRows = 16;
/** Between the groups of a field of one line that does not fill it. */
const maxGap = 56;
const smallPitches = [8, 6, 5, 4, 3];
/** Up to here dots keep their full size, above it the field keeps its height. */
const maxLargeDots = 2000;
const maxHeight = 480;

/** Places groups of dots in lines of `width` pixels, each below a head of `headHeight` pixels, with as many rows as make the field low. */
export function layoutField(groups: readonly DotGroup[], width: number, headHeight: number): FieldLayout {
  const total = groups.reduce((sum, { size }) => sum + size, 0);
  const [fewest, ...more] = rowSteps;
  const placed = (rows: number) => place(groups, width, headHeight, largePitch, rows);
  let layout = lowest([placed(fewest), ...more.map((rows) => placed(rows))]);
  for (const pitch of smallPitches) {
    if (total <= maxLargeDots || layout.height <= maxHeight) break;
    layout = place(groups, width, headHeight, pitch, Math.floor((maxLargeRows * largePitch) / pitch));
  }
  return spread(layout, width);
}

const lowest = ([first, ...others]: readonly [FieldLayout, ...FieldLayout[]]): FieldLayout =>
  others.reduce((best, layout) => (layout.height < best.height ? layout : best), first);

function place(
  groups: readonly DotGroup[],
  width: number,
  headHeight: number,
  pitch: number,
  usualRows: number,
): FieldLayout {
  const maxColumns = Math.max(1, Math.floor(width / pitch));
  const placed: PlacedGroup[] = [];
  let [x, y, lineRows, first] = [0, headHeight, 0, 0];
  for (const { size, minWidth } of groups) {
    const needed = Math.ceil(size / maxColumns);
    const rows = needed <= usualRows ? usualRows : (rowSteps.find((step) => step >= needed) ?? needed);
    const ownWidth = Math.min(width, Math.max(Math.ceil(size / rows) * pitch, minWidth));
    if (x > 0 && x + ownWidth > width) {
      y += lineRows * pitch + lineGap + headHeight;
      [x, lineRows] = [0, 0];
    }
    placed.push({ x, y, width: ownWidth, rows, first, size });
    lineRows = Math.max(lineRows, Math.min(rows, size));
    x += ownWidth + gap;
    first += size;
  }
  return { pitch, groups: placed, height: y + lineRows * pitch };
}

/** Spreads the groups of a field of one line over its width. */
function spread(layout: FieldLayout, width: number): FieldLayout {
  const [first, last] = [layout.groups[0], layout.groups.at(-1)];
  if (first === undefined || last === undefined || first === last || last.y !== first.y) return layout;
  const free = Math.floor((width - last.x - last.width) / (layout.groups.length - 1));
  const more = Math.min(free, maxGap - gap);
  return {
    ...layout,
    groups: layout.groups.map((group, index) => ({ ...group, x: group.x + index * more })),
  };
}

/** The centre of a dot of a group. */
export function centreOf({ x, y, rows }: PlacedGroup, dot: number, pitch: number): [number, number] {
  return [x + Math.floor(dot / rows) * pitch + pitch / 2, y + (dot % rows) * pitch + pitch / 2];
}

/** The dot at a point, if any. */
export function dotAt({ groups, pitch }: FieldLayout, x: number, y: number): FieldPlace | undefined {
  for (const [group, placed] of groups.entries()) {
    const column = Math.floor((x - placed.x) / pitch);
    const row = Math.floor((y - placed.y) / pitch);
    if (column < 0 || row < 0 || row >= placed.rows) continue;
    const dot = column * placed.rows + row;
    if (dot < placed.size) return { group, dot };
  }
  return undefined;
}

/** The place to which a key moves from another one; undefined for other keys. `forward` is the arrow in the reading direction. */
export function moved(
  { groups }: FieldLayout,
  at: FieldPlace,
  key: string,
  forward: 'ArrowLeft' | 'ArrowRight',
): FieldPlace | undefined {
  const from = groups[at.group];
  if (from === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return isEndOfColumn(from, at.dot) ? at : { ...at, dot: at.dot + 1 };
    case 'ArrowUp':
      return { ...at, dot: at.dot % from.rows === 0 ? -1 : Math.max(-1, at.dot - 1) };
    case 'ArrowLeft':
    case 'ArrowRight':
      return sideways(groups, at, key === forward ? 1 : -1);
    case 'PageDown':
      return headOf(groups, at.group + 1);
    case 'PageUp':
      return headOf(groups, at.group - 1);
    case 'Home':
      return headOf(groups, 0);
    case 'End':
      return headOf(groups, groups.length - 1);
    default:
      return undefined;
  }
}

const isEndOfColumn = ({ rows, size }: PlacedGroup, dot: number): boolean =>
  dot + 1 >= size || (dot >= 0 && dot % rows === rows - 1);

function headOf(groups: readonly PlacedGroup[], group: number): FieldPlace {
  return { group: Math.min(groups.length - 1, Math.max(0, group)), dot: -1 };
}

/** The place in the next column, in that of the neighbouring group at the end of one. */
function sideways(groups: readonly PlacedGroup[], at: FieldPlace, step: 1 | -1): FieldPlace {
  const from = groups[at.group];
  if (from === undefined) return at;
  const inGroup = at.dot + step * from.rows;
  if (at.dot >= 0 && inGroup >= 0 && Math.floor(inGroup / from.rows) * from.rows < from.size)
    return { ...at, dot: Math.min(from.size - 1, inGroup) };
  const to = groups[at.group + step];
  if (to === undefined) return at;
  if (at.dot < 0 || to.size === 0) return { group: at.group + step, dot: -1 };
  const row = at.dot % from.rows;
  const column = step === 1 ? 0 : Math.floor((to.size - 1) / to.rows);
  return {
    group: at.group + step,
    dot: Math.min(to.size - 1, column * to.rows + Math.min(row, to.rows - 1)),
  };
}
