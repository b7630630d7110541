export { keptProblem, problemText } from './problem.texts.ts'
export { type Hold, holdOf, type TellingRules } from './hold.rules.ts'
export {
  aboutNoPrint,
  CHANNELS_PAGE,
  featuresOf,
  gatheredMs,
  feedbackPath,
  ignoresMasterSwitch,
  isAlert,
  isUpright,
  kindOf,
  KINDS,
  type NamedPrint,
  type Notice,
  orientationOf,
  severityOf,
  type Told,
} from './notice.rules.ts'
export { consequence, HTML, type Markup, PLAIN, whyNotWatched, type Words, wordsOf } from './notice.texts.ts'
