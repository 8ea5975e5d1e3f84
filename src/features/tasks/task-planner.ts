import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { EventType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { propertyNotFound } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { type Neighbours, NeighboursRepository } from '../../tenancy/stays/neighbours.repository.js';
import { isCalledOff, isOn, type Stay } from '../../tenancy/stays/stay.js';
import type { StayChange, StayFollower } from '../../tenancy/followers/followers.js';
import { automaticTask, isOfLeftRoom, isOfRoomKept, looksAroundIn, startsAfter } from './automatic-task.js';
import { isDeparture, isDepartureUndone, isTheSame } from './stay-changes.js';
import type { Task } from './task.entity.js';
import { TaskRules } from './task-rules.service.js';
import { looksAround, timesOf } from './task-times.js';
import { taskCreated, taskMoved, taskUpdated } from './tasks.events.js';
import { TasksRepository } from './tasks.repository.js';

/**
 * The tasks of stays: created when a stay is confirmed, moved when it moves, cancelled when it is cancelled, in the
 * same transaction.
 */
@Injectable()
export class TaskPlanner implements StayFollower {
  constructor(
    private readonly neighbours: NeighboursRepository,
    private readonly properties: PropertiesService,
    private readonly rules: TaskRules,
    private readonly tasks: TasksRepository,
    private readonly events: EventsService,
  ) {}

  async lockFor({ orgId }: Caller, changes: readonly StayChange[]): Promise<void> {
    const stays = changes.flatMap(({ stay, before }) => (before ? [stay, before] : [stay]));
    const neighbours = await this.neighbours.staysNextTo(orgId, stays);
    await this.tasks.openOf(orgId, [...new Set([...stays, ...neighbours].map(({ id }) => id))]);
  }

  async followStays(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    for (const { stay, leftRoom } of changes) if (leftRoom) await this.cleanUpAfter(caller, stay, leftRoom);
    const others = changes.filter(({ stay, before }) => !before || !isTheSame(stay, before));
    if (others.length === 0) return;
    const own = new Map(others.map((change) => [change.stay.id, change]));
    const on = others.filter(({ stay, before }) => isOn(stay) && !(before && isOn(before)));
    const [around, properties] = await Promise.all([
      // Stays next to a changed one, at its old and its new place, may have work that looks at their neighbours.
      this.neighbours.staysNextTo(
        caller.orgId,
        others.flatMap(({ stay, before }) => (before ? [stay, before] : [stay])),
      ),
      this.properties.getMany(
        caller,
        on.map(({ stay }) => stay.propertyId),
      ),
    ]);
    const stays = new Map([...around, ...others.map(({ stay }) => stay)].map((stay) => [stay.id, stay]));
    const isNew = (id: string): boolean => own.has(id) && own.get(id)?.before === undefined;
    const known = [...stays.keys()].filter((id) => !isNew(id));
    const open = known.length > 0 ? await this.tasks.openOf(caller.orgId, known) : [];
    const isOff = (task: Task): boolean => {
      const change = own.get(task.reservationId as string);
      return change !== undefined && (isCalledOff(change.stay) || isOfRoomKept(task, change.stay));
    };
    const isFollowing = (task: Task): boolean => {
      const change = own.get(task.reservationId as string);
      // Guests who leave early move only work that nobody has started.
      const hasLeft = change ? isDeparture(change) : others.every(isDeparture);
      return (task.status === 'pending' || !hasLeft) && (change !== undefined || looksAroundIn(task));
    };
    const following = open.filter(isFollowing);
    await this.callOff(caller, following.filter(isOff));
    await this.fit(
      caller,
      following.filter((task) => !isOff(task)),
      stays,
    );
    await this.planAgain(caller, others.filter(isDepartureUndone));
    await this.plan(caller, on, properties);
  }

  async foresee({ orgId }: Caller, stayIds: readonly string[]): Promise<{ type: EventType; count: number }> {
    return { type: taskUpdated, count: await this.tasks.countTimed(orgId, stayIds) };
  }

  /** Stays that are on again have their tasks back; stays that had none get new ones. */
  private async plan(caller: Caller, changes: readonly StayChange[], properties: readonly Property[]): Promise<void> {
    const again = changes.flatMap(({ stay, before }) => (before ? [stay.id] : []));
    const known = again.length > 0 ? await this.tasks.plannedFor(caller.orgId, again) : [];
    const stays = new Map(changes.map(({ stay }) => [stay.id, stay]));
    const back = known.filter(({ calledOff }) => calledOff);
    await this.fit(caller, back, stays, pendingAgain);
    const planned = new Set(known.map(({ reservationId }) => reservationId));
    await this.planNew(
      caller,
      [...stays.values()].filter(({ id }) => !planned.has(id)),
      properties,
    );
  }

  /** Guests who are back in house are to change rooms as planned before they left. */
  private async planAgain(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    if (changes.length === 0) return;
    const leftAt = new Map(changes.map(({ stay, before }) => [stay.id, before?.departedAt]));
    const known = await this.tasks.plannedFor(caller.orgId, [...leftAt.keys()]);
    const back = known.filter((task) => {
      const at = leftAt.get(task.reservationId as string);
      return task.calledOff && isOfLeftRoom(task) && at && startsAfter(task, at) && (task.cancelledAt ?? at) >= at;
    });
    const stays = new Map(changes.map(({ stay }) => [stay.id, stay]));
    await this.fit(caller, back, stays, pendingAgain);
  }

  private async planNew(caller: Caller, stays: readonly Stay[], properties: readonly Property[]): Promise<void> {
    const tasks: Task[] = [];
    for (const [propertyId, there] of Map.groupBy(stays, (stay) => stay.propertyId)) {
      const property = properties.find(({ id }) => id === propertyId);
      if (!property) throw propertyNotFound();
      const { automaticTasks } = property;
      const looking = automaticTasks.some(({ timeRule }) => looksAround(timeRule));
      const neighbours = looking ? await this.neighbours.ofEach(caller.orgId, there) : new Map<string, Neighbours>();
      for (const stay of there)
        for (const { timeRule, ...automatic } of automaticTasks)
          tasks.push(
            automaticTask(caller.orgId, stay, automatic, {
              timeRule,
              ...timesOf(timeRule, stay, neighbours.get(stay.id) ?? nobody),
            }),
          );
    }
    await this.create(caller, tasks);
  }

  /** Only people cancel work that a person planned, or that has started. */
  private async callOff(caller: Caller, tasks: readonly Task[]): Promise<void> {
    const pending = tasks.filter(({ source, status }) => source === 'automatic' && status === 'pending');
    const cancelled = { status: 'cancelled' as const, cancelledAt: new Date().toISOString(), calledOff: true };
    const changed = await this.tasks.updateEach(pending.map((row) => ({ row, changes: cancelled })));
    await this.events.recordAll(caller, changed, () => taskMoved.cancel);
  }

  /** The cleaning of a room that guests leave for another one: planned as after a departure, and it stays there. */
  private async cleanUpAfter(
    caller: Caller,
    stay: Stay,
    { unitId, at, backIn, firstIn }: NonNullable<StayChange['leftRoom']>,
  ): Promise<void> {
    const { automaticTasks } = await this.properties.get(caller, stay.propertyId);
    const planned = (await this.tasks.openOf(caller.orgId, [stay.id])).filter(isOfLeftRoom);
    const into = backIn ?? firstIn;
    // A room that was to be left later is left now, or not at all.
    await this.callOff(
      caller,
      planned.filter((task) => task.unitId === into || startsAfter(task, at)),
    );
    // Nobody has slept in a room that guests leave for the one that they came from.
    if (backIn || planned.some((task) => task.unitId === firstIn)) return;
    const left = { ...stay, unitId, departureAt: at, departedAt: null };
    const neighbours = await this.neighbours.of(caller.orgId, left);
    const cleaning = automaticTasks.filter(({ type }) => type === 'cleaning');
    await this.create(
      caller,
      cleaning.map(({ timeRule, ...automatic }) =>
        automaticTask(caller.orgId, left, automatic, timesOf(timeRule, left, neighbours)),
      ),
    );
  }

  /** Gives tasks the current times and places of their stays, and changes of every one; those that have them stay. */
  private async fit(
    caller: Caller,
    tasks: readonly Task[],
    stays: ReadonlyMap<string, Stay>,
    every: Partial<Task> = {},
  ): Promise<void> {
    const stayOf = ({ reservationId }: Task): Stay => stays.get(reservationId as string) as Stay;
    const looking = [...new Set(tasks.filter(looksAroundIn).map(stayOf))];
    const neighbours = await this.neighbours.ofEach(caller.orgId, looking);
    const wanted: { row: Task; changes: Partial<Task> }[] = [];
    for (const row of tasks) {
      if (isOfLeftRoom(row)) {
        wanted.push({ row, changes: every });
        continue;
      }
      const stay = stayOf(row);
      const times = row.timeRule ? timesOf(row.timeRule, stay, neighbours.get(stay.id) ?? nobody) : {};
      const changes: Partial<Task> = { ...every, ...times, propertyId: stay.propertyId, unitId: stay.unitId };
      if (row.propertyId !== stay.propertyId)
        changes.assigneeIds = await this.rules.stillAble(row.orgId, row.assigneeIds, stay.propertyId);
      wanted.push({ row, changes });
    }
    await this.events.recordAll(caller, await this.tasks.updateEach(wanted), () => taskUpdated);
  }

  private async create(caller: Caller, tasks: readonly Task[]): Promise<void> {
    await this.tasks.insertAllAtCommit(tasks);
    await this.events.recordNew(caller, tasks, taskCreated);
  }
}

const nobody: Neighbours = { previousDeparture: null, nextArrival: null };

const pendingAgain = { status: 'pending' as const, cancelledAt: null, calledOff: false };
