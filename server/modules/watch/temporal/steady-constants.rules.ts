/**
 * The constants of the steady logic; see steady.rules.ts for what they mean. Seconds, levels in log-odds. Levels fit any model
 * that `training/run export` scales: half of the sound frames are at or under -2.4, at most one in twenty reaches 0. Tuned on
 * rendered prints that no report counts (training/README.md).
 */
export const STEADY = {
  scoreFloor: 0.5,
  scoreSlope: 1.7,
  maxP: 1.5,
  tauEwm: 65,
  tauShort: 52 * 60,
  tauLong: 20 * 3600,
  priorMean: 0.02,
  priorSeconds: 3600,
  maxStep: 30,
  /** Evidence older than this gap without a usable picture fades. */
  staleGap: 300,
  /** No decision within these seconds of a print: nozzles ooze and lines are drawn beside the part. */
  warmUpSeconds: 90,
  /** What a print found when it began is seen in so many frames. */
  openingFrames: 6,
  /** A cell is hot when what is left of it is so far above the camera's normal, at least this level (a score of 0.12). */
  hotRise: 1.2,
  leastHotLevel: -2,
  warnFrames: 3,
  pauseFrames: 6,
  /** A rise that is large for its camera alone counts fully from so many hot frames in one place on. */
  inPlaceFrames: 4,
  /** Share of the odds of the first minute's heat that is taken off before a warning. */
  openingShare: 0.8,
  /** The same before a pause: so little more than all of it that what grows over it counts (training/report/ODD.md). */
  openingTimes: 1.2,
  /** What is known of a cell is taken off with its odds weighed so, since it flickers. */
  knownTimes: 4,
  /** For so many seconds what is hot while a failure is told belongs to what the owner answers. */
  toldFor: 120,
  /** Seconds after a resume in which nothing pauses. */
  resumeGrace: 180,
  /** The coarse cells that carry the score. */
  topCells: 4,
  /** Level and spread of a camera that nobody has seen, and for how many frames each counts. */
  usual: { level: -2.8, spread: 1.2 },
  priorLevelFrames: 2,
  /** A print that begins hotter than this level (a score of 0.27) may be failing already: no more than it is learnt at once. */
  openingMost: -1,
  priorSpreadFrames: 20,
  /** No frame counts as lower, no camera as steadier than this; from print to print the spread is at least the last. */
  leastLevel: -5,
  leastSpread: 0.3,
  leastPrintSpread: 1,
  /** How many frames wait before they are learnt, and how many are remembered (15 minutes). */
  waitFrames: 8,
  levelFrames: 90,
  /** p of a smoothed level that stands out by d deviations of its camera: (d - from) * slope. */
  standsOutFrom: 1,
  standsOutSlope: 0.18,
  /** A camera whose normal is above this level needs as much more for the same p, up to `most`. */
  noisyLevel: -1.8,
  noisyMost: 3,
  /** For a pause a rise counts nothing at the first level (a score of 0.43), fully at the second (0.77). */
  pauseLevels: [-0.3, 1.2],
  /** Nothing is learnt from this smoothed rise on (the warning is at 0.38). */
  doubtRise: 0.25,
} as const
