import { lazyDialog } from '../../../ui/lazily.tsx'

/** The dialogs of files, each loaded when it is wanted. */
export const MoveDialog = lazyDialog(async () => (await import('./MoveDialog.tsx')).MoveDialog)
export const RenameDialog = lazyDialog(async () => (await import('./NameDialogs.tsx')).RenameDialog)
export const NewFolderDialog = lazyDialog(async () => (await import('./NameDialogs.tsx')).NewFolderDialog)
