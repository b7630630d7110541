import admin from '../../../locales/en/people/admin.json'
import accounts from '../../../locales/en/people/accounts.json'
import leaving from '../../../locales/en/people/leaving.json'
import security from '../../../locales/en/people/security.json'
import household from '../../../locales/en/people/household.json'
import camera from '../../../locales/en/printers/camera.json'
import common from '../../../locales/en/core/common.json'
import events from '../../../locales/en/core/events.json'
import notifications from '../../../locales/en/tell/notifications.json'
import stats from '../../../locales/en/prints/stats.json'
import linking from '../../../locales/en/printers/linking.json'
import printers from '../../../locales/en/printers/printers.json'
import settings from '../../../locales/en/printers/settings.json'
import toolhead from '../../../locales/en/printers/toolhead.json'
import temperatures from '../../../locales/en/printers/temperatures.json'
import finder from '../../../locales/en/core/finder.json'
import macros from '../../../locales/en/printers/macros.json'
import terminal from '../../../locales/en/printers/terminal.json'
import tunnels from '../../../locales/en/remote/tunnels.json'
import widgets from '../../../locales/en/printers/widgets.json'
import catalogue from '../../../locales/en/core/catalogue.json'
import feedback from '../../../locales/en/watch/feedback.json'
import cloudPrints from '../../../locales/en/files/cloud-prints.json'
import printerFiles from '../../../locales/en/remote/printer-files.json'
import gcodeFiles from '../../../locales/en/files/gcode-files.json'
import gallery from '../../../locales/en/prints/gallery.json'
import hours from '../../../locales/en/shop/hours.json'
import welcome from '../../../locales/en/shop/welcome.json'
import subscription from '../../../locales/en/shop/subscription.json'
import codes from '../../../locales/en/shop/codes.json'
import coupons from '../../../locales/en/shop/coupons.json'
import partners from '../../../locales/en/shop/partners.json'
import archived from '../../../locales/en/printers/archived.json'
import firstLayer from '../../../locales/en/watch/first-layer.json'
import grid from '../../../locales/en/printers/grid.json'
import history from '../../../locales/en/prints/history.json'
import gcode from '../../../locales/en/files/gcode.json'
import machines from '../../../locales/en/files/machines.json'
import queue from '../../../locales/en/files/queue.json'
import replay from '../../../locales/en/prints/replay.json'
import sharing from '../../../locales/en/remote/sharing.json'
import shortcuts from '../../../locales/en/core/shortcuts.json'
import designs from '../../../locales/en/slice/designs.json'
import slicing from '../../../locales/en/slice/slicing.json'
import slicers from '../../../locales/en/slice/slicers.json'
import printPage from '../../../locales/en/prints/print-page.json'
import player from '../../../locales/en/prints/player.json'
import uploads from '../../../locales/en/prints/uploads.json'
import video from '../../../locales/en/remote/video.json'
import zones from '../../../locales/en/printers/zones.json'

export const texts = {
  leaving,
  notifications,
  player,
  'print-page': printPage,
  uploads,
  video,
  zones,
  gcode,
  machines,
  queue,
  replay,
  sharing,
  shortcuts,
  slicers,
  designs,
  slicing,
  feedback,
  'cloud-prints': cloudPrints,
  'printer-files': printerFiles,
  'gcode-files': gcodeFiles,
  gallery,
  hours,
  subscription,
  welcome,
  codes,
  coupons,
  partners,
  archived,
  'first-layer': firstLayer,
  grid,
  history,
  catalogue,
  accounts,
  admin,
  security,
  household,
  camera,
  common,
  events,
  stats,
  linking,
  printers,
  settings,
  toolhead,
  temperatures,
  finder,
  macros,
  terminal,
  tunnels,
  widgets,
}
