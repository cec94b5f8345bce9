"""Running studies: when they stop, and that nothing is lost or counted twice."""

import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from pitchsim import evaluate
from pitchsim.analysis import Analysis
from pitchsim.errors import PitchsimError, StudyError
from pitchsim.evaluating import make_study
from pitchsim.running import DEFAULT_DEALS, MOST_DEALS, Stop, run
from pitchsim.simulation import Simulation

HAND = "AS JS 10S 5S KH 2D"


@pytest.fixture(scope="module")
def study(warm):
    return make_study(HAND, "partners", seed=1)


def run_study(study, stop, **how):
    return run(Simulation(study), stop, width=lambda tally: Analysis(study, tally).width, **how)


def same(one, other):
    return one.deals == other.deals and all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("counts", "products")
    )


def test_by_itself_it_deals_a_hundred_thousand(study):
    finished = run_study(study, Stop())
    assert finished.tally.deals == DEFAULT_DEALS == 100_000
    assert finished.stopped_by == "deals"


def test_it_stops_at_the_deals_asked_for(study):
    finished = run_study(study, Stop(deals=10_001), chunk=1_000)
    assert finished.tally.deals == 10_001
    assert same(finished.tally, Simulation(study).count(0, 10_001))


@pytest.mark.parametrize("precision", [0.02, 0.005])
def test_it_stops_once_precise_enough_and_not_long_after(study, precision):
    finished = run_study(study, Stop(precision=precision))
    assert finished.stopped_by == "precision"
    assert Analysis(study, finished.tally).width <= precision
    half = Simulation(study).count(0, finished.tally.deals // 2)
    assert Analysis(study, half).width > precision


def test_a_precision_that_is_out_of_reach_goes_on_to_the_end(study):
    finished = run_study(study, Stop(deals=3_000, precision=1e-300))
    assert finished.stopped_by == "deals"
    assert finished.tally.deals == 3_000


def test_deals_come_before_precision_if_they_are_met_first(study):
    finished = run_study(study, Stop(deals=1_500, precision=0.0001))
    assert finished.stopped_by == "deals"
    assert finished.tally.deals == 1_500


def test_time_ends_it_with_whole_chunks_in_order(study):
    finished = run_study(study, Stop(max_seconds=0.3), chunk=500)
    assert finished.stopped_by == "max_seconds"
    assert same(finished.tally, Simulation(study).count(0, finished.tally.deals))


def test_an_interruption_keeps_what_was_done(study):
    def interrupt(tally):
        if tally.deals == 4_000:
            raise KeyboardInterrupt

    finished = run_study(study, Stop(deals=50_000), chunk=1_000, threads=3, progress=interrupt)
    assert finished.stopped_by == "interrupt"
    assert 4_000 <= finished.tally.deals < 50_000
    assert same(finished.tally, Simulation(study).count(0, finished.tally.deals))


class NeverDone(ThreadPoolExecutor):
    """An executor that the user interrupts before it has anything."""

    def submit(self, *_args, **_kwargs):
        future = Future()
        future.set_exception(KeyboardInterrupt())
        return future


def test_an_interruption_before_anything_is_one(study):
    with NeverDone(1) as pool, pytest.raises(KeyboardInterrupt):
        run_study(study, Stop(deals=10), executor=pool)


def test_progress_sees_every_chunk_added_up(study):
    seen = []
    run_study(
        study, Stop(deals=5_500), chunk=1_000, progress=lambda tally: seen.append(tally.deals)
    )
    assert seen == [1_000, 2_000, 3_000, 4_000, 5_000, 5_500]


def test_other_processes_find_the_same(study):
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        finished = run_study(study, Stop(deals=3_000), executor=pool, chunk=700)
    assert same(finished.tally, Simulation(study).count(0, 3_000))


def test_two_studies_at_once_do_not_disturb_each_other(study):
    other = make_study("KH QH JH 10H 2C 3C", "ten-point", seed=2)
    found = {}

    def work(name, one):
        found[name] = run_study(one, Stop(deals=20_000), threads=2).tally

    workers = [
        threading.Thread(target=work, args=item) for item in {"one": study, "two": other}.items()
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert same(found["one"], Simulation(study).count(0, 20_000))
    assert same(found["two"], Simulation(other).count(0, 20_000))


def test_tallies_add_and_those_of_two_studies_do_not(study):
    whole = Simulation(study).count(0, 3_000)
    assert same(Simulation(study).count(0, 1_000) + Simulation(study).count(1_000, 2_000), whole)
    assert same(Simulation(study).count(1_000, 2_000) + Simulation(study).count(0, 1_000), whole)
    other = make_study(HAND, "partners", seed=2)
    with pytest.raises(StudyError, match="two studies do not add"):
        whole + Simulation(other).count(0, 10)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"deals": 0}, "deals 0 is not possible: expected a whole number, 1 to"),
        ({"deals": -5}, "deals -5"),
        ({"deals": 10.5}, "deals 10.5 is not possible: expected a whole number"),
        ({"deals": True}, "deals True"),
        ({"seed": 1.5}, "seed 1.5 is not possible: expected a whole number"),
        ({"seed": "7"}, "seed '7'"),
        ({"threads": 1.5}, "threads 1.5"),
        ({"deals": MOST_DEALS + 1}, "expected a whole number, 1 to"),
        ({"precision": 0}, "precision 0 is not possible: expected a number, more than 0"),
        ({"precision": -0.1}, "precision -0.1"),
        ({"precision": 0.5}, "precision 0.5"),
        ({"precision": "0.5%"}, "precision '0.5%'"),
        ({"precision": float("nan")}, "precision nan"),
        ({"max_seconds": 0}, "max_seconds 0 is not possible"),
        ({"max_seconds": float("nan")}, "max_seconds nan"),
        ({"max_seconds": float("inf")}, "max_seconds inf"),
        ({"threads": 0}, "threads 0 is not possible"),
        ({"threads": 5_000}, "threads 5000"),
        ({"seed": -1}, "seed -1 is not possible"),
        ({"seed": 2**64}, "expected a whole number, 0 to 18446744073709551615"),
        ({"play": "basics"}, "did you mean 'basic'"),
        ({"lead": "AH"}, "AH is not in the hand"),
        ({"trump": "C"}, "cannot be the first lead with C as trump"),
        ({"trump": "H", "lead": "AS"}, "AS cannot be the first lead with H as trump"),
        ({"trump": "X"}, "'X' is not a suit"),
    ],
)
def test_what_is_not_possible_is_refused(wrong, message):
    with pytest.raises(PitchsimError, match=message):
        evaluate(HAND, **{"deals": 100, **wrong})


def test_whole_numbers_of_numpy_are_welcome():
    one = evaluate(HAND, deals=np.int64(100), seed=np.uint64(7), threads=np.int64(1))
    assert same(one.run.tally, evaluate(HAND, deals=100, seed=7).run.tally)


def test_one_thing_known_need_not_stand_in_a_list():
    assert evaluate(HAND, deals=10, known="-:KS").study.known.out == {"KS"}
