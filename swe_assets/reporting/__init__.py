"""Results as tables that a page, a paper and a check are made from, the same for every study.

* ``table_shape``: Column, Table and Analysis; ``tables``: these as JSON there and back, and as CSV
* ``latex``: a table for a paper; ``readable``: how a cell is put for people
* ``drawing``: a figure as marks; ``svg`` and ``raster`` show it; ``palette``: colours by what they stand for
* ``figures``: every figure and the tables it is drawn from; ``sections``: their order
* ``page``: all of it on one file; ``words``: the page's words; ``page_files``: page and figures as files
"""
