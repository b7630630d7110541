export {
  /** @public Verdict and reasons for one printer, for a dialog in which it is chosen. */
  FitNote,
} from './FitNote.tsx'
export { FitsPanel } from './FitsPanel.tsx'
export { MachineSettings } from './MachineSettings.tsx'
export {
  /** @public Which of the account's printers can print a file. */
  fitsQuery,
} from './machines.api.ts'
