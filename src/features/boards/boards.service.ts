import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Sections } from '#operations';
import { Cursors, idColumn, type Row } from '#persistence';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { BoardRepository } from './board.repository.js';
import type { GetRoomBoard, GetTapeChart, RoomBoardView, TapeChartView } from './boards.dto.js';
import type { DayRow, DayView, GetDay } from './day.dto.js';
import { DayRepository } from './day.repository.js';
import { dayOf } from './here.js';
import { roomBoard, toMinute } from './room-board.js';
import { TapeChartRepository } from './tape-chart.repository.js';
import { tapeChartOf } from './tape-chart.js';

const mostRows = 100;
const usualDays = 14;

/** Overviews: a property today, a property over weeks, a day at all properties. Tasks need permission to read them. */
@Injectable()
export class BoardsService {
  constructor(
    private readonly properties: PropertiesService,
    private readonly organizations: OrganizationsService,
    private readonly boards: BoardRepository,
    private readonly charts: TapeChartRepository,
    private readonly days: DayRepository,
    private readonly cursors: Cursors,
  ) {}

  async board(caller: Caller, { propertyId, date }: GetRoomBoard): Promise<RoomBoardView> {
    const rows = await this.boards.read(caller, propertyId, {
      ...(date && { asked: date }),
      tasks: may(caller, 'tasks:read'),
    });
    return roomBoard(propertyId, dayOf(rows), rows);
  }

  async tapeChart(caller: Caller, { propertyId, from, days = usualDays }: GetTapeChart): Promise<TapeChartView> {
    const rows = await this.charts.read(caller, propertyId, { ...(from && { from }), days });
    return { propertyId, from: dayOf(rows).date, days, ...tapeChartOf(rows) };
  }

  async day(caller: Caller, input: GetDay): Promise<Sections<DayView>> {
    const { propertyId, limit = mostRows, cursor } = input;
    const place = propertyId ? await this.properties.get(caller, propertyId) : await this.organizations.get(caller);
    const today = dayIn(place.timezone);
    const { date = today } = input;
    const propertyIds = propertyId ? [propertyId] : caller.propertyIds;
    const list = JSON.stringify(['day', caller.orgId, date, propertyIds]);
    const after = cursor === undefined ? null : this.cursors.read(cursor, list)[0];
    const tasks = may(caller, 'tasks:read');
    const rows = await this.days.rows(caller.orgId, { date, today, propertyIds, after, limit: limit + 1, tasks });
    const shown = rows.slice(0, limit);
    const of = (section: number): DayRow[] => shown.filter((row) => row.section === section).map(dayRow);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      record: { date, arrivals: of(1), departures: of(2), inHouse: of(3) },
      limit,
      nextCursor: last ? this.cursors.write([last.key as string, ''], list) : null,
    };
  }
}

const ids = {
  property: idColumn('property'),
  reservation: idColumn('reservation'),
  task: idColumn('task'),
  unit: idColumn('unit'),
};

interface TaskOfDay {
  id: string;
  name: string;
  status: 'pending' | 'in_progress';
  due: string | null;
  assignees: string[];
}

const dayRow = (row: Row): DayRow => ({
  reservationId: ids.reservation.from(row.id) as string,
  guestName: row.guest_name as string | null,
  propertyId: ids.property.from(row.property_id) as string,
  propertyName: row.property_name as string,
  unitId: ids.unit.from(row.unit_id) as string | null,
  unitName: row.unit_name as string | null,
  unitTypeName: row.unit_type_name as string | null,
  arrivalLocal: toMinute(row.arrival as string),
  departureLocal: toMinute(row.departure as string),
  stayStatus: row.stay_status as DayRow['stayStatus'],
  cleaningStatus: row.cleaning_status as DayRow['cleaningStatus'],
  openTasks: ((row.tasks ?? []) as TaskOfDay[]).map(({ id, due, ...task }) => ({
    ...task,
    id: ids.task.from(id) as string,
    dueLocal: due && toMinute(due),
  })),
});
