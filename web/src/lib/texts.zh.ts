import admin from '../../../locales/zh/people/admin.json'
import accounts from '../../../locales/zh/people/accounts.json'
import leaving from '../../../locales/zh/people/leaving.json'
import security from '../../../locales/zh/people/security.json'
import household from '../../../locales/zh/people/household.json'
import camera from '../../../locales/zh/printers/camera.json'
import common from '../../../locales/zh/core/common.json'
import events from '../../../locales/zh/core/events.json'
import notifications from '../../../locales/zh/tell/notifications.json'
import stats from '../../../locales/zh/prints/stats.json'
import linking from '../../../locales/zh/printers/linking.json'
import printers from '../../../locales/zh/printers/printers.json'
import settings from '../../../locales/zh/printers/settings.json'
import toolhead from '../../../locales/zh/printers/toolhead.json'
import temperatures from '../../../locales/zh/printers/temperatures.json'
import finder from '../../../locales/zh/core/finder.json'
import macros from '../../../locales/zh/printers/macros.json'
import terminal from '../../../locales/zh/printers/terminal.json'
import tunnels from '../../../locales/zh/remote/tunnels.json'
import widgets from '../../../locales/zh/printers/widgets.json'
import catalogue from '../../../locales/zh/core/catalogue.json'
import feedback from '../../../locales/zh/watch/feedback.json'
import cloudPrints from '../../../locales/zh/files/cloud-prints.json'
import printerFiles from '../../../locales/zh/remote/printer-files.json'
import gcodeFiles from '../../../locales/zh/files/gcode-files.json'
import gallery from '../../../locales/zh/prints/gallery.json'
import hours from '../../../locales/zh/shop/hours.json'
import welcome from '../../../locales/zh/shop/welcome.json'
import subscription from '../../../locales/zh/shop/subscription.json'
import codes from '../../../locales/zh/shop/codes.json'
import coupons from '../../../locales/zh/shop/coupons.json'
import partners from '../../../locales/zh/shop/partners.json'
import archived from '../../../locales/zh/printers/archived.json'
import firstLayer from '../../../locales/zh/watch/first-layer.json'
import grid from '../../../locales/zh/printers/grid.json'
import history from '../../../locales/zh/prints/history.json'
import gcode from '../../../locales/zh/files/gcode.json'
import machines from '../../../locales/zh/files/machines.json'
import queue from '../../../locales/zh/files/queue.json'
import replay from '../../../locales/zh/prints/replay.json'
import sharing from '../../../locales/zh/remote/sharing.json'
import shortcuts from '../../../locales/zh/core/shortcuts.json'
import designs from '../../../locales/zh/slice/designs.json'
import slicing from '../../../locales/zh/slice/slicing.json'
import slicers from '../../../locales/zh/slice/slicers.json'
import printPage from '../../../locales/zh/prints/print-page.json'
import player from '../../../locales/zh/prints/player.json'
import uploads from '../../../locales/zh/prints/uploads.json'
import video from '../../../locales/zh/remote/video.json'
import zones from '../../../locales/zh/printers/zones.json'

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
