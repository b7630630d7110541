export {
  featuresOf,
  ignoresMasterSwitch,
  isUpright,
  kindOf,
  KINDS,
  type Notice,
  orientationOf,
  severityOf,
} from './notice.rules.ts'
export { consequence, HTML, type Markup, PLAIN, whyNotWatched, type Words, wordsOf } from './notice.texts.ts'
