// The types of the page in page/, for the TypeScript compiler that checks it. Declared globally and
// beside the page, so that they cost its visitors nothing.

type Player = "first" | "second";
type Part = "hunter" | "prey";
type Winner = Player | "unknown" | null;

/** The parameters of a request. Empty texts, `false` and `null` are left out. */
type Params = Record<string, string | number | boolean | null | undefined>;

interface Knight {
  cell: string;
  liberties: number;
  region: number;
  part: Part | null;
  region_cells: string[];
}

/** A position described: the answer of `/show`. */
interface Show {
  /** Where the game starts (`7x7` or a diagram), and its moves from there. */
  start: string;
  moves: string[];
  board: string;
  files: number;
  ranks: number;
  position: string;
  line: string | null;
  uci: string;
  turn: Player;
  winner: Player | null;
  first: Knight | null;
  second: Knight | null;
  separated: boolean;
  legal_moves: string[];
  free: string[];
  blocked: string[];
  dead: string[];
  dark: string[];
  free_dark: number;
  free_light: number;
  colour_law: { sentence: string; winner: Player } | null;
}

interface Judged {
  move: string;
  winner: Winner;
  plies: number | null;
  origin: string | null;
  plies_origin: string | null;
}

/** What is known of a position: the answer of `/position`. */
interface Analysis {
  position: string;
  turn: Player;
  winner: Winner;
  plies: number | null;
  plies_from: string;
  origin: string | null;
  plies_origin: string | null;
  move: string | null;
  moves: Judged[];
  line: string[];
  line_complete: boolean;
  line_optimal: boolean;
  nodes: number;
  seconds: number;
}

/** The answer of `/mirror`. */
interface Mirror {
  sentence: string;
  /** Whether the board has this symmetry. */
  fits: boolean;
  images: Record<string, string>;
  holds: boolean | null;
  replies: { move: string; reply: string; legal: boolean }[];
  asymmetry: { cells: string[]; sentence: string } | null;
  breaks: { moves: string[]; sentence: string } | null;
}

/** An analysis while it improves. */
interface Progress {
  state: "waiting" | "searching" | "done";
  /** The best one so far. */
  analysis: Analysis | null;
  /** Nothing is left to be found. */
  complete: boolean;
  /** Why nothing happens yet, in a sentence. */
  waiting: string | null;
}

/**
 * Functions for the events of a stream by their names, which get the data. `fail` gets the error if
 * the stream breaks or is refused, and `end` is called when the server ends it.
 */
type Handlers = Record<string, (data: any) => void>;

/** A game and the ply that is looked at. */
interface Game {
  start: string;
  moves: string[];
  at: number;
}

interface State extends Game {
  /** The position at the ply. */
  show: Show | null;
  error: string | null;
}

type Store = typeof import("./page/store.js").store;
type Board = ReturnType<typeof import("./page/board.js").createBoard>;

/** What a value means to the mover. */
type Kind = "win" | "loss" | "unknown";
interface Mark {
  kind: Kind;
  /** The plies. */
  text?: string;
  best?: boolean;
}

interface Arrow {
  from: string;
  to: string;
  kind: "move" | "reply" | "break";
}

/** What a board shows. Records are by cells. */
interface Model {
  files: number;
  ranks: number;
  blocked?: string[];
  /** Where the knights stand. */
  first?: string | null;
  second?: string | null;
  turn?: Player;
  /** Cells that can be clicked. */
  targets?: string[];
  /** Values of moves, as the mover sees them. */
  marks?: Record<string, Mark>;
  /** `region-first`, `dead`, `reply`, … */
  tints?: Record<string, string>;
  /** A frame: `exception`, `picked`. */
  rings?: Record<string, string>;
  /** Small text in the middle, such as the ply that took the cell. */
  notes?: Record<string, string>;
  /** Small text in a corner. */
  tags?: Record<string, string>;
  arrows?: Arrow[];
  /** A symmetry to draw: `center`, `vertical`, … */
  axis?: string | null;
  parts?: { first?: Part | null | undefined; second?: Part | null | undefined };
  /** Where the last move went. */
  last?: string | null;
  /** 0 to 7: quarter turns, plus 4 if left and right change sides. */
  orientation?: number;
}

interface BoardOptions {
  /** A target was clicked, or Enter pressed on it. */
  onCell?: (cell: string, event: Event) => void;
  /** A knight was dragged to a cell, or off the board. */
  onDrop?: (from: string, to: string | null) => void;
  /** The pointer or the focus is on another cell. */
  onPoint?: (cell: string | null) => void;
  /** A key that the grid does not use itself. */
  onKey?: (cell: string, event: KeyboardEvent) => void;
  /** What a screen reader says about a cell, instead of the usual. */
  label?: (cell: string) => string;
  /** The name of the grid. */
  name?: string;
  /** Of the cells' ids: `cell-` if it is left out. */
  prefix?: string;
}

/** Keys, what each does in words (empty: it is not listed), and the deed. */
type Bindings = Record<string, [string, () => unknown]>;

/** What a view gets. */
interface Context {
  store: Store;
  api: typeof import("./page/api.js");
  /** What the address says beside the position. */
  params: Record<string, string>;
  /** Goes to a view. */
  navigate: (view: string, params?: Params) => void;
  /** Changes the view's own part of the address; the view stays. */
  setParams: (params: Params) => void;
  /** The address of a view with the position on the board. */
  href: (view: string, params?: Params) => string;
  /** Says something in passing. */
  toast: (text: string) => void;
  /** Says something that lasts, until it is null. */
  status: (about: string, text: string | null) => void;
  /** Binds keys; returns what frees them. */
  keys: (bindings: Bindings, title?: string) => () => void;
}

/** A part of the page that is shown by mounting it. */
interface Mountable {
  /** Returns what takes it down. */
  mount: (container: HTMLElement, context: Context) => () => void;
}

interface View extends Mountable {
  name: string;
  title: string;
  /** Takes other params. A view without it is mounted again. */
  update?: (params: Record<string, string>) => void;
}

// Functions with several parameters.

type Child = Node | string | number | null | undefined | false;
type Children = (Child | Child[])[];
type Attributes = Record<string, unknown>;
type Asking = { signal?: AbortSignal };
/** Ends something: a subscription, a stream, keys. */
type End = () => void;

type H = <T extends keyof HTMLElementTagNameMap>(
  tag: T, attributes?: Attributes, ...children: Children
) => HTMLElementTagNameMap[T];
type S = <T extends keyof SVGElementTagNameMap>(
  tag: T, attributes?: Attributes, ...children: Children
) => SVGElementTagNameMap[T];
type BoardModel = (show: Show, last?: string | null, orientation?: number) => Model;
type Get = (path: string, params?: Params, options?: Asking) => Promise<any>;
type Post = (path: string, body: unknown, options?: Asking) => Promise<any>;

/** A module with a view. */
type Module = { default: View };

/** A position that is being set up. */
interface Draft {
  files: number;
  ranks: number;
  blocked: Set<string>;
  first: string | null;
  second: string | null;
  turn: Player;
}

// What the other views are told.

/** What a heuristic thinks of a position: a part of the answer of `/heuristics`. */
interface Opinion {
  heuristic: string;
  source: string;
  what: string;
  /** Null while a knight is missing. */
  score: number | null;
  /** The moves that it would choose: all that it finds equally good. */
  choices: string[];
  /** Whether all of them keep the mover's win; null without a win, or if it is not known. */
  keeps_win: boolean | null;
  choice_winners: Record<string, Player | null>;
  choice_plies: Record<string, number | null>;
}
interface Opinions {
  turn: Player;
  winner: Player | null;
  heuristics: Opinion[];
}

/** A board of the atlas: a part of the answer of `/boards`. */
interface AtlasBoard {
  board: string;
  winner: Player | null;
  sentence: string;
  openings: number;
  first_wins: number;
  second_wins: number;
  exceptions: number;
}
interface Reply {
  second: string;
  winner: Player | null;
  exception: boolean;
  /** What explains an exception: `mirror center after f5`. */
  mirror?: string;
}
interface Placement {
  first: string;
  stands_for: number;
  replies: Reply[];
}
/** The answer of `/openings`. */
interface OpeningMap extends AtlasBoard {
  placements: Placement[];
}

/** The answer of `/agents`. */
interface Catalogue {
  agents: { agent: string; what: string }[];
  heuristics: { heuristic: string; what: string }[];
  all: string[];
}

/** The answer of `/move`. */
interface ChosenMove {
  move: string;
  proven: boolean;
  winner: Player | null;
  plies: number | null;
  by: string;
  score: number | null;
}

interface ReviewedPly {
  ply: number;
  move: string;
  player: Player;
  winner: Player | null;
  plies: number | null;
  blunder: boolean;
  /** After a blunder: the moves that would have won. */
  better?: string[];
}
/** The answer of `/review`. */
interface Review {
  start_winner: Player | null;
  plies: ReviewedPly[];
}

/** A game of a file: a part of the answer of `/games`. */
interface SavedGame extends Record<Player, string> {
  game: number;
  limit: string;
  given: number;
  line: string;
  board: string;
  moves: string[];
  winner: Player | null;
  end: string;
  blunders: number[] | null;
}

/** The game that is being played. */
interface Match {
  /** An agent's name, or `you`. */
  players: Record<Player, string>;
  /** For each move: `150ms`, `20,000 nodes` or `depth 7`. */
  limit: string;
  /** The position from which they play, and how many plies it has. */
  opening: string;
  given: number;
  /** The whole game, as it was last seen. */
  line: string;
  ended: Ended | null;
  /** What an agent's move rests on, by the position before it and the move. */
  notes: Record<string, string>;
}
interface Ended {
  winner: Player;
  end: "stuck" | "resigned";
  /** The game that ended so. */
  line: string;
}

interface EvidenceLine {
  line: string;
  shows: string;
  plies: { move: string; winner: Player | null; plies: number | null }[];
}
interface EvidenceTable {
  head: string[];
  rows: (string | number)[][];
}
/** One of these. */
interface Evidence {
  sentence?: string;
  table?: EvidenceTable;
  figure?: { what: string; ours: string; published: string | null };
  line?: EvidenceLine;
}
/** Opens a line on the board, at a ply. */
type OpenLine = (line: string, at?: number) => unknown;

/** One of the answer of `/claims`. */
interface Claim {
  id: string;
  source: string;
  says: string;
  published: string;
  reading: string;
  verdict: string;
  summary: string;
  readings: { statement: string; verdict: string; summary: string; evidence: Evidence[] }[];
  evidence: Evidence[];
  commands: string[];
  command: string;
}
