export { backOff } from './breaker.rules.ts'
export { problemOf, sendBy } from './deliver.service.ts'
export {
  channelsInUse,
  insertEnded,
  findRecipient,
  listOf,
  markChannel,
  type DeliveryRow,
} from './deliveries.queries.ts'
export { startDispatch } from './dispatch.service.ts'
export { holdAgain } from './held.queries.ts'
export { filmSettled } from './held.service.ts'
export { type AlertLinkRow, giveBackAlertLink, useAlertLink } from './links.queries.ts'
export { alertLinkOf } from './links.service.ts'
export { messageOf, noticePictureUrl } from './message.service.ts'
export { showPhones } from './phones.service.ts'
export { owe, oweEvent, type News } from './outbox.service.ts'
export { findRules, putRules, type RulesRow, tellingRulesOf } from './rules.queries.ts'
