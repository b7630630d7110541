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
export { messageOf } from './message.service.ts'
export { owe, oweEvent, type News } from './outbox.service.ts'
