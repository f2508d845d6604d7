from __future__ import annotations

from youju.api.metrics import Histogram, Meter, written


def test_a_page_of_figures_is_in_the_text_format():
    meter = Meter()
    meter.request({"method": "GET"}, 404, 0.1)
    meter.request({"method": "EVIL\n"}, 400, 0.1)
    meter.turn([("llm", 'odd "reason"\n')], "low_evidence")
    page = written(meter, {"youju_queue_length": ("Waiting", {(): 3})})
    assert 'youju_requests_total{method="GET",route="-",status="404"} 1\n' in page
    assert 'youju_requests_total{method="-",route="-",status="400"} 1\n' in page
    assert 'youju_degradations_total{part="llm",reason="odd \\"reason\\"\\n"} 1\n' in page
    assert 'youju_refusals_total{reason="low_evidence"} 1\n' in page
    assert page.endswith("# HELP youju_queue_length Waiting\n# TYPE youju_queue_length gauge\nyouju_queue_length 3\n")


def test_a_histogram_counts_up_to_each_bound():
    chats = Histogram()
    for seconds in (0.05, 0.06, 100.0):
        chats.add(seconds)
    page = written(Meter(chats=chats), {})
    assert 'youju_chat_seconds_bucket{le="0.05"} 1\n' in page
    assert 'youju_chat_seconds_bucket{le="0.1"} 2\n' in page
    assert 'youju_chat_seconds_bucket{le="60.0"} 2\n' in page
    assert 'youju_chat_seconds_bucket{le="+Inf"} 3\n' in page
    assert "youju_chat_seconds_sum 100.11\n" in page
    assert "youju_chat_seconds_count 3\n" in page
