export { type NotifySettings, NotifyLine } from './notify-line.js';
export { WakeUps } from './wake-ups.js';
