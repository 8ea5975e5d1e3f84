import { one, operation, sections } from '#operations';
import { GetRoomBoard, GetTapeChart, RoomBoardView, TapeChartView } from './boards.dto.js';
import { DayView, GetDay } from './day.dto.js';

export const getRoomBoard = operation({
  name: 'getRoomBoard',
  route: 'GET /properties/{propertyId}/board',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Show the room board',
  description:
    'Shows each unit on a date: who sleeps there, who leaves and comes next, cleaning status, block, open tasks and readiness; and arrivals without a unit.',
  askedAs: 'all rooms today, which are occupied, clean, dirty or free',
  everyday: true,
  input: GetRoomBoard,
  output: one(RoomBoardView),
});

export const getTapeChart = operation({
  name: 'getTapeChart',
  route: 'GET /properties/{propertyId}/tape-chart',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Show the tape chart',
  description: 'Shows the confirmed stays and the blocks of each unit over up to 92 days, and stays without a unit.',
  askedAs: 'booking calendar, occupancy of the next weeks',
  input: GetTapeChart,
  output: one(TapeChartView),
});

export const getDay = operation({
  name: 'getDay',
  route: 'GET /day',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Show a day',
  description:
    'Shows the arrivals, departures and guests in house of a date, by place, with cleaning status, open tasks and assignees.',
  askedAs: 'who arrives or leaves today or tomorrow, is everything clean, what happens in the house',
  everyday: true,
  input: GetDay,
  output: sections(DayView),
});
