import { z } from 'zod'

/** What belongs to an owner, by its table. */
type Owned =
  | 'accessTokens'
  | 'chats'
  | 'cloudPrints'
  | 'deliveries'
  | 'emailAddresses'
  | 'firstLayerImages'
  | 'firstLayerInspections'
  | 'frames'
  | 'gCodeFiles'
  | 'gCodeFolders'
  | 'hourTransactions'
  | 'memberships'
  | 'meshModels'
  | 'mobileDevices'
  | 'identities'
  | 'notificationSettings'
  | 'passkeys'
  | 'payments'
  | 'printerEvents'
  | 'printers'
  | 'printShotFeedbacks'
  | 'prints'
  | 'publicTimelapses'
  | 'pushSubscriptions'
  | 'queueEntries'
  | 'sessions'
  | 'sharedResources'
  | 'sliceJobs'
  | 'slicePresets'
  | 'subscriptions'
  | 'supportRequests'
  | 'tunnels'
  | 'users'
  | 'verificationCodes'

/** In whose right a row was read; members of a household come by the doors, not by their ids (docs/decisions/0020). */
type Role = 'owner'

declare const proof: unique symbol

/**
 * The id of a row that was read by right: under its owner's scope, from a row that was so read, or by a job of the server's own. What
 * somebody names in a request is a number, and no column compares with one (docs/server.md, "Whose it is").
 */
export type Id<T extends Owned, R extends Role = 'owner'> = number & {
  readonly [proof]: { readonly of: T; readonly role: R }
}
export type UserId = Id<'users'>
export type PrinterId = Id<'printers'>
export type PrintId = Id<'prints'>
export type FileId = Id<'gCodeFiles'>
export type FolderId = Id<'gCodeFolders'>
/** Of none. */
export const NO_ID = sought<never>(0)

/** A number that somebody names, to be looked for among the rows of who names it: a scoped query compares with it, nothing else may. */
export function sought<T extends Owned>(id: number): Id<T>
export function sought(id: number): number {
  return id
}

/** An id in what the server has told itself (a job, another node): it was put there as an id, and comes out as one. */
export const idOf = <T extends Owned>() => z.custom<Id<T>>((given) => z.int().safeParse(given).success)
